package abi

import (
	"fmt"
	"slices"
	"strings"
)

// reached returns the definitions that a union and the members of its parts use.
func reached(defs ordered, unions ...string) map[string]bool {
	seen := map[string]bool{}
	var visit func(s *shape)
	visit = func(s *shape) {
		if s == nil {
			return
		}
		if name := s.target(); s.Ref != "" && !seen[name] {
			seen[name] = true
			visit(defs.named(name))
		}
		for _, m := range s.Properties {
			visit(m.is)
		}
		for _, one := range s.AnyOf {
			visit(one)
		}
		visit(s.Items)
		visit(s.values())
	}
	for _, name := range unions {
		visit(defs.named(name))
	}
	return seen
}

// compiled are the definitions that compiled languages have: what events, effects and guardians need.
func compiled(defs ordered) (out ordered) {
	used := reached(defs, "Event", "Effect", "RelayEvent", "RelayEffect", "AskingEvent", "AskingEffect", "Consulted")
	for _, d := range defs {
		if used[d.name] || d.is.isUnion() || d.name == "Verdict" || strings.HasPrefix(d.name, "Verdict") {
			out = append(out, d)
		}
	}
	return out
}

// inUnion reports whether a definition stands in one of the unions, so that its tag is the name of a variant.
func inUnion(defs ordered, name string) bool {
	for _, d := range defs {
		if d.is.isUnion() && slices.ContainsFunc(d.is.AnyOf, func(s *shape) bool { return s.target() == name }) {
			return true
		}
	}
	return false
}

// untagged are the members of a definition without the one that names the variant.
func untagged(defs ordered, d entry) (out ordered) {
	member, _ := d.is.tag()
	for _, m := range d.is.Properties {
		if m.name != member || !inUnion(defs, d.name) {
			out = append(out, m)
		}
	}
	return out
}

// rust writes types for serde. A name or an effect that a later version adds becomes Unknown.
func rust(all ordered) string {
	defs := compiled(all)
	w := words{"String", "i64", "Json", "bool", "Json", "Vec<%s>", "BTreeMap<String, %s>"}
	var out strings.Builder
	out.WriteString("// " + madeBy + "\n" + said("The types of the events, the effects and the documents in "+
		"them.", "//! ", "//! ") +
		"\nuse serde::{Deserialize, Serialize};\nuse serde_json::value::RawValue;\n" +
		"use std::collections::BTreeMap;\n\n" + said("The exact text of a JSON value. It may be a number that no f64 "+
		"holds, such as 1e400 or 12345678901234567890123. `serde_json::from_str(json.get())` reads what fits, and "+
		"`serde_json::value::to_raw_value` makes one.", "/// ", "/// ") + "pub type Json = Box<RawValue>;\n")
	for _, d := range defs {
		out.WriteString("\n" + said(strings.ReplaceAll(d.is.Description, "[", "\\["), "/// ", "/// "))
		switch {
		case d.is.isUnion() && strings.HasSuffix(d.name, "Event"):
			fmt.Fprintf(&out, "#[derive(Clone, Debug, Serialize)]\n#[serde(tag = \"event\")]\npub enum %s {\n", d.name)
			for _, one := range d.is.AnyOf {
				_, name := defs.named(one.target()).tag()
				fmt.Fprintf(&out, "    #[serde(rename = \"%s\")]\n    %s(%s),\n", name, one.target(), one.target())
			}
			out.WriteString("}\n")
		case d.is.isUnion():
			fmt.Fprintf(&out, "#[derive(Clone, Debug)]\n#[allow(clippy::large_enum_variant)]\npub enum %s {\n", d.name)
			arms := ""
			for _, one := range d.is.AnyOf {
				_, name := defs.named(one.target()).tag()
				fmt.Fprintf(&out, "    %s(%s),\n", one.target(), one.target())
				arms += fmt.Sprintf("            \"%s\" => Self::%s(serde_json::from_str(text)?),\n", name, one.target())
			}
			fmt.Fprintf(&out, "    /// An effect of a later version. Ignore it.\n    Unknown(String),\n}\n\nimpl %s {\n"+
				"    /// Reads one effect. Members of later versions are ignored.\n"+
				"    pub fn read(text: &str) -> serde_json::Result<Self> {\n        Ok(match effect_of(text)?.as_str() {\n"+
				"%s            other => Self::Unknown(other.to_owned()),\n        })\n    }\n}\n", d.name, arms)
		case d.is.Enum != nil && !d.is.isOpen():
			fmt.Fprintf(&out, "#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]\npub enum %s {\n", d.name)
			for _, name := range d.is.Enum {
				fmt.Fprintf(&out, "    #[serde(rename = \"%s\")]\n    %s,\n", name, camel(name))
			}
			out.WriteString("    /// A word of a later version.\n    #[serde(untagged)]\n    Unknown(String),\n}\n")
		case d.is.Enum != nil:
			fmt.Fprintf(&out, "pub type %s = String;\n", d.name)
		case !d.is.isRecord():
			fmt.Fprintf(&out, "pub type %s = %s;\n", d.name, w.of(d.is, same))
		default:
			standard := ""
			if len(untagged(defs, d)) > 0 && !slices.ContainsFunc(d.is.Properties, func(m entry) bool {
				return m.is.Text != "" || d.is.needs(m.name) && (m.is.Ref != "" || w.of(m.is, same) == w.any)
			}) {
				standard = "Default, "
			}
			fmt.Fprintf(&out, "#[derive(Clone, Debug, %sSerialize, Deserialize)]\npub struct %s {\n", standard, d.name)
			for _, m := range untagged(defs, d) {
				out.WriteString(said(strings.ReplaceAll(m.is.Description, "[", "\\["), "    /// ", "    /// "))
				is, name := w.of(m.is, same), m.name
				if m.is.Text != "" {
					is = w.any
				}
				if isKeyword("rust", name) {
					name = "r#" + name
				}
				if !d.is.needs(m.name) {
					is = "Option<" + is + ">"
					out.WriteString("    #[serde(default, skip_serializing_if = \"Option::is_none\")]\n")
				}
				if m.name != snakeCase(m.name) {
					fmt.Fprintf(&out, "    #[serde(rename = \"%s\")]\n", m.name)
					name = snakeCase(m.name)
				}
				fmt.Fprintf(&out, "    pub %s: %s,\n", name, is)
			}
			out.WriteString("}\n")
		}
	}
	return out.String() + "\nfn effect_of(text: &str) -> serde_json::Result<String> {\n    #[derive(Deserialize)]\n" +
		"    struct Tagged {\n        effect: String,\n    }\n    Ok(serde_json::from_str::<Tagged>(text)?.effect)\n}\n"
}

// snake writes minLength as min_length.
func snakeCase(name string) (out string) {
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			out += "_"
		}
		out += strings.ToLower(string(r))
	}
	return out
}

// java writes records. A host brings its own reader of JSON: of takes the maps and lists that all of them make, and
// json returns such a map.
func java(all ordered) string {
	defs := compiled(all)
	w := words{"String", "Long", "Number", "Boolean", "Object", "List<%s>", "Map<String, %s>"}
	var known func(name string) string
	known = func(name string) string {
		switch d := defs.named(name); {
		case d.Enum != nil:
			return "String"
		case !d.isRecord():
			return w.of(d, known)
		}
		return name
	}
	var out strings.Builder
	out.WriteString("// " + madeBy + "\npackage dev.elicit;\n\nimport java.util.LinkedHashMap;\nimport java.util.List;\n" +
		"import java.util.Map;\nimport java.util.function.Function;\n\n/**\n * The events, the effects and the " +
		"documents in " +
		"them. A member that was left out is null. {@code of} reads the maps\n * and lists of any reader of JSON " +
		"and ignores " +
		"the members that it does not know; {@code json} returns such a map. A {@code Number} is the one that the\n" +
		" * reader made: {@link Json} keeps 1e400 and 12345678901234567890123 as they are.\n */\n" +
		"public final class Contract {\n" + javaHelp)
	for _, d := range defs {
		doc := strings.ReplaceAll(strings.ReplaceAll(jsdoc(d.is.Description, "    "), "<", "&lt;"), "/…", "/...")
		switch {
		case d.is.isUnion():
			names, arms := []string{}, ""
			for _, one := range d.is.AnyOf {
				_, name := defs.named(one.target()).tag()
				names = append(names, one.target())
				arms += fmt.Sprintf("                case \"%s\" -> %s.of(json);\n", name, one.target())
			}
			if strings.HasSuffix(d.name, "Event") {
				fmt.Fprintf(&out, "\n%s    public sealed interface %s permits%s {\n        Map<String, Object> json();\n"+
					"    }\n", doc,
					d.name, javaLines(names))
				continue
			}
			fmt.Fprintf(&out, "\n%s    public sealed interface %s permits%s {\n"+
				"        /** Reads one effect; an effect of a later version becomes an {@link Unknown}. */\n"+
				"        static %s of(Map<String, Object> json) {\n"+
				"            return switch (String.valueOf(json.get(\"effect\"))) {\n"+
				"%s                default -> new Unknown(json);\n            };\n        }\n    }\n", doc, d.name,
				javaLines(append(names, "Unknown")), d.name, arms)
		case d.is.isRecord():
			out.WriteString("\n" + doc + javaRecord(defs, d, w, known))
		}
	}
	return out.String() + "}\n"
}

const javaHelp = `    private Contract() {}

    /** An effect of a later version. Ignore it. */
    public record Unknown(Map<String, Object> json) implements Effect, RelayEffect, AskingEffect {}

    @SuppressWarnings("unchecked")
    private static <T> T as(Object value) {
        return (T) value;
    }

    private static Long whole(Object value) {
        return value == null ? null : Long.valueOf(((Number) value).longValue());
    }

    private static <T> T one(Object value, Function<Map<String, Object>, T> read) {
        return value == null ? null : read.apply(as(value));
    }

    private static <T> List<T> list(Object value, Function<Map<String, Object>, T> read) {
        return value == null ? null : Contract.<List<Map<String, Object>>>as(value).stream().map(read).toList();
    }

    private static void put(Map<String, Object> out, String name, Object value) {
        if (value instanceof List<?> many) {
            value = many.stream().map(Contract::written).toList();
        }
        if (value != null) {
            out.put(name, written(value));
        }
    }

    private static Object written(Object value) {
        return value instanceof Written some ? some.json() : value;
    }

    private interface Written {
        Map<String, Object> json();
    }
`

// javaLines writes a list into lines of its own.
func javaLines(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return "\n" + strings.TrimSuffix(said(strings.Join(list, ", "), "                    ", "                    "), "\n")
}

func javaRecord(defs ordered, d entry, w words, known func(string) string) string {
	member, tag := d.is.tag()
	parts, reads, puts := []string{}, []string{}, ""
	for _, m := range untagged(defs, d) {
		is, name, raw := w.of(m.is, known), m.name, fmt.Sprintf("json.get(\"%s\")", m.name)
		if isKeyword("java", name) {
			name += "_"
		}
		read := "as(" + raw + ")"
		switch target := defs.named(m.is.target()); {
		case is == "Long":
			read = "whole(" + raw + ")"
		case m.is.Ref != "" && target != nil && target.isRecord():
			read = "one(" + raw + ", " + m.is.target() + "::of)"
		case m.is.Items != nil && defs.named(m.is.Items.target()) != nil && defs.named(m.is.Items.target()).isRecord():
			read = "list(" + raw + ", " + m.is.Items.target() + "::of)"
		}
		parts, reads = append(parts, is+" "+name), append(reads, read)
		puts += fmt.Sprintf("            put(out, \"%s\", %s);\n", m.name, name)
	}
	as := []string{}
	for _, u := range defs {
		if u.is.isUnion() && slices.ContainsFunc(u.is.AnyOf, func(s *shape) bool { return s.target() == d.name }) {
			as = append(as, u.name)
		}
	}
	if member == "event" && len(as) > 0 {
		puts = fmt.Sprintf("            out.put(\"event\", \"%s\");\n", tag) + puts
	}
	if member != "effect" {
		as = append(as, "Written")
	}
	implements := ""
	if len(as) > 0 {
		implements = "\n            implements " + strings.Join(as, ", ")
	}
	text := fmt.Sprintf("    public record %s(%s)%s {\n", d.name,
		javaLines(parts), implements)
	if member != "event" {
		text += fmt.Sprintf("        static %s of(Map<String, Object> json) {\n            return new %s(%s);\n"+
			"        }\n", d.name,
			d.name, javaLines(reads))
	}
	if member != "effect" {
		text += "        @Override\n        public Map<String, Object> json() {\n            Map<String, Object> out = " +
			"new LinkedHashMap<>();\n" + puts + "            return out;\n        }\n"
	}
	return text + "    }\n"
}

// cpp writes structs. Each visits its members, so that any library for JSON reads and writes them.
func cpp(all ordered) string {
	defs := compiled(all)
	w := words{"std::string", "std::int64_t", "Json", "bool", "Json", "std::vector<%s>", "std::map<std::string, %s>"}
	var out strings.Builder
	out.WriteString("// " + madeBy + "\n// The events, the effects and the documents in them, for C++17. Each " +
		"struct gives its " +
		"members to a visitor,\n// visit(name, member), with which any library for JSON reads and writes " +
		"them. A reader ignores " +
		"the members that\n// it does not know, and an effect with a name that it does not know.\n" +
		"#ifndef ELICIT_CONTRACT_HPP\n#define ELICIT_CONTRACT_HPP\n\n#include <cstdint>\n#include <map>\n" +
		"#include <optional>\n" +
		"#include <string>\n#include <variant>\n#include <vector>\n\nnamespace elicit::contract {\n\n" +
		"/// The exact text of a JSON value, which may be a number that no double holds, such as 1e400.\n" +
		"struct Json {\n  std::string text;\n};\n\n" +
		"/// An effect of a later version. Ignore " +
		"it.\nstruct Unknown {\n  std::string effect;\n};\n")
	written := map[string]bool{}
	var write func(d entry)
	write = func(d entry) {
		if written[d.name] {
			return
		}
		written[d.name] = true
		for _, o := range defs {
			if o.name != d.name && reached(ordered{d, o}, d.name)[o.name] {
				write(o)
			}
		}
		out.WriteString("\n" + said(d.is.Description, "/// ", "/// "))
		switch {
		case d.is.isUnion():
			names := []string{}
			for _, one := range d.is.AnyOf {
				names = append(names, one.target())
			}
			if strings.HasSuffix(d.name, "Effect") {
				names = append(names, "Unknown")
			}
			fmt.Fprintf(&out, "using %s = std::variant<\n%s", d.name, said(strings.Join(names, ", ")+">;", "    ", "    "))
		case d.is.Enum != nil:
			fmt.Fprintf(&out, "using %s = std::string;\n", d.name)
		case !d.is.isRecord():
			fmt.Fprintf(&out, "using %s = %s;\n", d.name, w.of(d.is, same))
		default:
			cppStruct(&out, defs, d, w)
		}
	}
	for _, d := range defs {
		write(d)
	}
	return out.String() + "\n}  // namespace elicit::contract\n\n#endif\n"
}

func cppStruct(out *strings.Builder, defs ordered, d entry, w words) {
	fmt.Fprintf(out, "struct %s {\n", d.name)
	if member, tag := d.is.tag(); inUnion(defs, d.name) {
		fmt.Fprintf(out, "  static constexpr const char *%s = \"%s\";\n", member, tag)
	}
	visits := ""
	for _, m := range untagged(defs, d) {
		is, name := w.of(m.is, same), m.name
		if m.is.Text != "" {
			is = "Json"
		}
		if isKeyword("cpp", name) {
			name += "_"
		}
		if !d.is.needs(m.name) {
			is = "std::optional<" + is + ">"
		}
		initial := ""
		switch is {
		case "bool":
			initial = " = false"
		case "std::int64_t":
			initial = " = 0"
		}
		out.WriteString(said(m.is.Description, "  /// ", "  /// "))
		fmt.Fprintf(out, "  %s %s%s;\n", is, name, initial)
		visits += fmt.Sprintf("    visit(\"%s\", %s);\n", m.name, name)
	}
	parameter := "visit"
	if visits == "" {
		parameter = ""
	}
	fmt.Fprintf(out, "\n  template <class Visit>\n  void each(Visit &&%s) {\n%s  }\n};\n", parameter, visits)
}
