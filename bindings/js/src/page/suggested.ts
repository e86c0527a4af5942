import type { Json, Question, Suggestion } from "../form/index.ts";

/** A show effect names its suggestions by field; the form takes each at its field. */
export function withSuggestions(question: Question): Question {
  const list = (question as { suggestions?: readonly (Suggestion & { field: string; value: Json })[] }).suggestions;
  if (list === undefined || question.form === undefined) return question;
  const fields = question.form.fields.map((field) => {
    const suggestions = list.filter((suggestion) => suggestion.field === field.name);
    return suggestions.length === 0 ? field : { ...field, suggestions };
  });
  return { ...question, form: { ...question.form, fields } };
}
