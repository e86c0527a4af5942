import type { ElicitForm } from "./element.ts";
import { isKnown } from "./held.ts";

/**
 * Handles keys. Ctrl+Enter submits. Enter in a one-line field moves to the next empty required field, and submits if
 * there is none. Esc cancels; if typed values would be lost, it asks first. Keys that are held down, and keys in the
 * first moments of a question, do nothing.
 */
export function onKey(form: ElicitForm, event: KeyboardEvent): void {
  if (event.isComposing || event.defaultPrevented || form.readonly || form.isOver) return;
  if (event.key !== "Enter" && event.key !== "Escape" && event.key !== " ") return;
  const target = event.composedPath()[0] as HTMLElement;
  const isButton = target instanceof HTMLButtonElement;
  if (!form.isSettled || event.repeat) {
    if (isButton || event.key !== " ") event.preventDefault();
    return;
  }
  if (event.key === "Escape") return cancel(form, event);
  if (event.key !== "Enter") return;
  const isForced = event.ctrlKey || event.metaKey;
  if (target.id === "note" || (!isForced && !("oneline" in target.dataset))) return; // a note may go with a refusal
  event.preventDefault();
  if (form.shown.mode === "url") return;
  const next = isForced ? undefined : nextEmpty(form, target);
  if (next === undefined) form.submit();
  else form.lead(next);
}

function cancel(form: ElicitForm, event: KeyboardEvent): void {
  event.preventDefault();
  if (!form.seen.isBegun) return form.seen.goOn();
  if (form.isDirty && !form.askedToCancel) {
    form.askedToCancel = true;
    form.requestUpdate();
    return;
  }
  form.refuse("cancel");
}

function nextEmpty(form: ElicitForm, target: HTMLElement): string | undefined {
  const empty = form.fields.filter(({ field }) => {
    const { origin, from, text, chosen, yes } = form.held(field);
    const isEmpty = text === "" && chosen.length === 0 && yes === undefined;
    const isOpen = isEmpty && (origin === undefined || from === "typed");
    return field.required && isKnown(field) && field.kind !== "choices" && isOpen;
  });
  const here = form.fields.findIndex(({ id }) => target.id === id || target.id.startsWith(`${id}-`));
  const after = empty.find(({ id }) => form.fields.findIndex((placed) => placed.id === id) > here);
  return (after ?? empty[0])?.id;
}
