package abi

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

const madeBy = "Code generated from docs/contract.schema.json by go test ./engine/abi -run TestContract " +
	"-update; DO NOT EDIT."

// typescript writes interfaces. The lists of names that codes.ts has stay there.
func typescript(defs ordered, codes string) string {
	var body strings.Builder
	imported := []string{}
	var write func(s *shape, indent string, given bool) string
	write = func(s *shape, indent string, given bool) string {
		switch {
		case s.Ref == "config.schema.json":
			return "Configuration"
		case s.Ref != "":
			return s.target()
		case s.Const != nil:
			return string(s.Const)
		case s.Enum != nil:
			return quoted(s.Enum, " | ", indent+"  ")
		case s.AnyOf != nil:
			out := []string{}
			for _, one := range s.AnyOf {
				out = append(out, write(one, indent, given))
			}
			sum := strings.Join(out, " | ")
			if s.isUnion() || len(sum) > 90 {
				return "\n" + indent + "  | " + strings.Join(out, "\n"+indent+"  | ")
			}
			return sum
		case s.isRecord():
			return "{\n" + tsMembers(s, indent+"  ", func(m entry) string {
				return write(m.is, indent+"  ", given || m.name == "in" && m.is.kind() != "string")
			}) + indent + "}"
		case s.values() != nil:
			return "Record<string, " + write(s.values(), indent, given) + ">"
		case s.MaxItems == 2:
			return "[" + write(s.Items, indent, given) + ", " + write(s.Items, indent, given) + "]"
		case s.Items != nil:
			item := write(s.Items, indent, given)
			if strings.Contains(item, " | ") || strings.Contains(item, "\n") {
				item = "(" + item + ")"
			}
			return item + "[]"
		}
		loose := "Record<string, unknown>"
		if given {
			loose = "object"
		}
		switch kind := s.kind(); kind {
		case "string", "boolean", "null":
			return kind
		case "integer", "number":
			return "number"
		case "object":
			return loose
		case "":
			return "unknown"
		default:
			return strings.NewReplacer(`","`, " | ", `", "`, " | ", `["`, "", `"]`, "").Replace(kind)
		}
	}
	for _, d := range defs {
		if d.is.List != "" && strings.Contains(codes, "export type "+d.name+" ") {
			imported = append(imported, d.name)
			continue
		}
		body.WriteString("\n" + jsdoc(d.is.Description, ""))
		event, _ := d.is.tag()
		given := event == "event" || strings.HasSuffix(d.name, "Input") || slices.Contains(handed, d.name)
		text := write(d.is, "", given)
		if d.is.isRecord() {
			fmt.Fprintf(&body, "export interface %s %s\n", d.name, text)
			continue
		}
		line := "export type " + d.name + " = " + text + ";\n"
		if strings.HasPrefix(text, "\n") || d.is.Enum != nil && len(line) > 119 {
			line = "export type " + d.name + " =" + "\n  " + strings.TrimLeft(quotedOr(d.is, text), "\n ") + ";\n"
		}
		body.WriteString(line)
	}
	slices.Sort(imported)
	list := said(strings.Join(imported, ", ")+",", "  ", "  ")
	return "// " + madeBy + "\nimport type {\n" + list + "} from \"./codes.ts\";\n" +
		"import type { Configuration } from \"./configuration.ts\";\n" + body.String()
}

// handed are definitions that a host makes. Their documents may be any objects.
var handed = []string{"Posing", "CodexRequest", "CodexAnswer", "InterruptQuestion", "InterruptAnswer", "Layers",
	"Interrupting", "AskerClient"}

func quotedOr(s *shape, text string) string {
	if s.Enum != nil {
		return quoted(s.Enum, " | ", "  ")
	}
	return text
}

func tsMembers(s *shape, indent string, write func(entry) string) (out string) {
	for _, m := range s.Properties {
		mark, is := "", write(m)
		if !s.needs(m.name) {
			mark = "?"
		}
		if m.is.Text == m.name {
			is = "string"
		}
		out += jsdoc(m.is.Description, indent) + indent + m.name + mark + ": " + is + ";\n"
		if m.is.Text != "" && m.is.Text != m.name {
			out += jsdoc("Its exact text.", indent) + indent + m.is.Text + mark + ": string;\n"
		}
	}
	return out
}

func jsdoc(text, indent string) string {
	switch short := indent + "/** " + text + " */\n"; {
	case text == "":
		return ""
	case len(short) <= 120:
		return short
	}
	return indent + "/**\n" + said(text, indent+" * ", indent+" * ") + indent + " */\n"
}

var keywords = map[string]string{
	"python": " in for is from ", "rust": " in for ref do move type ", "java": " for do default wait " +
		"notify ", "cpp": " for do default ",
}

func isKeyword(language, name string) bool { return strings.Contains(keywords[language], " "+name+" ") }

// words are how a language writes the types of JSON: text, whole number, number, truth, anything, a list of %s, and an
// object whose members are %s.
type words struct{ text, whole, number, truth, any, list, object string }

// of writes the type of a member.
func (w words) of(s *shape, known func(string) string) string {
	switch {
	case s.Ref == "config.schema.json":
		return w.any
	case s.Ref != "":
		return known(s.target())
	case s.Enum != nil || s.isTag():
		return w.text
	case string(s.Const) == "true":
		return w.truth
	case s.Const != nil:
		return w.whole
	case s.Items != nil:
		return fmt.Sprintf(w.list, w.of(s.Items, known))
	case s.values() != nil:
		return fmt.Sprintf(w.object, w.of(s.values(), known))
	}
	switch s.kind() {
	case "string":
		return w.text
	case "integer":
		return w.whole
	case "number":
		return w.number
	case "boolean":
		return w.truth
	case "object":
		return fmt.Sprintf(w.object, w.any)
	}
	return w.any
}

func same(name string) string { return name }

// python writes a TypedDict for each definition. A name that is a word of the language needs the other spelling.
func python(defs ordered) string {
	w := words{"str", "int", "float", "bool", "Any", "List[%s]", "Dict[str, %s]"}
	var body, unions, names strings.Builder
	for _, d := range defs {
		fmt.Fprintf(&names, "    \"%s\",\n", d.name)
		text := said(d.is.Description, "#: ", "#: ")
		switch {
		case d.is.isUnion():
			list := ""
			for _, one := range d.is.AnyOf {
				list += "    " + one.target() + ",\n"
			}
			fmt.Fprintf(&unions, "\n%s%s = Union[\n%s]\n", text, d.name, list)
		case d.is.isOpen():
			fmt.Fprintf(&body, "\n%s%s = str\n", text, d.name)
		case d.is.Enum != nil:
			fmt.Fprintf(&body, "\n%s%s = Literal[\n    %s,\n]\n", text, d.name, quoted(d.is.Enum, ", ", "    "))
		case d.is.isRecord():
			body.WriteString("\n\n" + pythonRecord(d.name, d.is, w))
		case d.name == "FieldValue":
			fmt.Fprintf(&body, "\n%s%s = Union[str, float, bool, List[str]]\n", text, d.name)
		default:
			fmt.Fprintf(&body, "\n%s%s = %s\n", text, d.name, w.of(d.is, same))
		}
	}
	return "# " + madeBy + "\n\"\"\"The types of the events, the effects and the documents in them.\"\"\"\n\n" +
		"from typing import Any, Dict, List, Literal, TypedDict, Union\n\n__all__ = [\n" + names.String() + "]\n" +
		body.String() + unions.String()
}

func pythonRecord(name string, s *shape, w words) string {
	quote := func(name string) string { return `"` + name + `"` }
	literal := func(m entry) string {
		switch {
		case m.is.isTag() || string(m.is.Const) == "1":
			return "Literal[" + string(m.is.Const) + "]"
		case string(m.is.Const) == "true":
			return "Literal[True]"
		case m.is.Enum != nil:
			return "Literal[" + quoted(m.is.Enum, ", ", strings.Repeat(" ", 90)) + "]"
		}
		if m.is.Text == m.name {
			return w.text
		}
		return w.of(m.is, quote)
	}
	part := func(called, base string, total bool) string {
		plain, odd, base := "", "", base
		for _, m := range s.Properties {
			if s.needs(m.name) != total {
				continue
			}
			if isKeyword("python", m.name) {
				odd += fmt.Sprintf("\"%s\": %s, ", m.name, literal(m))
				continue
			}
			plain += said(m.is.Description, "    #: ", "    #: ") + "    " + m.name + ": " + shortened(literal(m)) + "\n"
		}
		before := ""
		if odd != "" {
			helper := "_" + strings.TrimLeft(called, "_") + map[bool]string{true: "Words", false: "MoreWords"}[total]
			before = fmt.Sprintf("%s = TypedDict(\"%s\", {%s}%s)\n\n\n", helper, helper, strings.TrimSuffix(odd, ", "),
				map[bool]string{true: "", false: ", total=False"}[total])
			base = strings.Replace(base, "TypedDict", "", 1)
			base = strings.Trim(base+", "+helper, ", ")
		}
		if !total {
			base += ", total=False"
		}
		doc := ""
		if s.Description != "" && called == name {
			doc = strings.TrimSuffix(said(s.Description, `    """`, "    "), "\n") + "\"\"\"\n\n"
			doc = strings.ReplaceAll(doc, `""""""`, `""" """`)
		}
		if plain == "" {
			plain = "    pass\n"
		}
		return before + fmt.Sprintf("class %s(%s):\n%s%s", called, base, doc, plain)
	}
	switch all := len(s.Required); {
	case all == 0:
		return part(name, "TypedDict", false)
	case all == len(s.Properties):
		return part(name, "TypedDict", true)
	}
	return part("_"+name, "TypedDict", true) + "\n\n" + part(name, "_"+name, false)
}

var literals = regexp.MustCompile(`\s*\n\s*`)

// shortened puts a literal of several lines between brackets of their own.
func shortened(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	inner := strings.TrimSuffix(strings.TrimPrefix(literals.ReplaceAllString(text, " "), "Literal["), "]")
	return "Literal[\n" + said(inner, "        ", "        ") + "    ]"
}

// lua writes annotations, which only editors read.
func lua(defs ordered) string {
	w := words{"string", "integer", "number", "boolean", "any", "%s[]", "table<string, %s>"}
	known := func(name string) string { return "elicit." + name }
	var out strings.Builder
	out.WriteString("-- " + madeBy + "\n---@meta\n")
	alternatives := func(words []string, between string) string { return `"` + strings.Join(words, `"`+between+`"`) + `"` }
	for _, d := range defs {
		out.WriteString("\n" + said(d.is.Description, "---", "---"))
		switch {
		case d.is.isUnion():
			fmt.Fprintf(&out, "---@alias elicit.%s\n", d.name)
			for _, one := range d.is.AnyOf {
				fmt.Fprintf(&out, "---| elicit.%s\n", one.target())
			}
		case d.is.isOpen():
			fmt.Fprintf(&out, "---@alias elicit.%s string\n", d.name)
		case d.is.Enum != nil:
			fmt.Fprintf(&out, "---@alias elicit.%s\n---| %s\n", d.name, alternatives(d.is.Enum, "\n---| "))
		case d.name == "FieldValue":
			out.WriteString("---@alias elicit.FieldValue string|number|boolean|string[]\n")
		case !d.is.isRecord():
			fmt.Fprintf(&out, "---@alias elicit.%s %s\n", d.name, w.of(d.is, known))
		default:
			fmt.Fprintf(&out, "---@class elicit.%s\n", d.name)
			for _, m := range d.is.Properties {
				is, mark := w.of(m.is, known), ""
				if m.is.isTag() {
					is = string(m.is.Const)
				} else if m.is.Enum != nil && len(m.is.Enum) < 6 {
					is = alternatives(m.is.Enum, "|")
				}
				if m.is.Text == m.name {
					is = "string"
				}
				if !d.is.needs(m.name) {
					mark = "?"
				}
				out.WriteString(said(m.is.Description, "---", "---"))
				fmt.Fprintf(&out, "---@field %s%s %s\n", m.name, mark, is)
			}
		}
	}
	return out.String()
}
