import type { Layer, LimitName, Profile } from "./codes.ts";
import type { Grant } from "./effect.ts";
import type { GuardianGrant } from "./guardian/grant.ts";

/** What an engine is opened with. Left out, everything has its default. */
export interface Configuration {
  /** Policy documents by layer (docs/policy.md); a layer's exact text goes under its name with `_text`. */
  policy?: { [K in Layer]?: Policy } & { [K in `${Layer}_text`]?: string };
  /** How much beyond a protocol's own grammar a schema may use. */
  profile?: Profile;
  /** Emit pause effects. */
  pauses?: boolean;
  /** One answer for the same question asked twice. */
  join?: boolean;
  /** Names of servers that are known before any session is opened, and that no other server may imitate (docs/risk.md). */
  servers?: string[];
  /** Show effects say for how long a yes may be remembered. */
  remember?: boolean;
  /** Grants with scope `always`, as remember effects told them. */
  grants?: Grant[];
  /** Whom to consult before a question is shown and before an answer is sent, in this order; at most 16. */
  guardians?: GuardianGrant[];
  /** Sizes are bytes, names in _ms milliseconds. */
  limits?: { [K in LimitName]?: number };
}

/** From the loosest to the strictest. */
export type Decided = "accept" | "review" | "ask" | "cancel" | "decline";

/** One layer of policy, see docs/policy.md. */
export interface Policy {
  $schema?: string;
  version: 1;
  mode?: "untrusted" | "on-request" | "on-failure" | "never" | { granular: Record<string, boolean> };
  access?: "sandboxed" | "full";
  reviewer?: "user" | "auto_review";
  /** What a guardian counts as that gives no verdict; deny unless told. */
  on_guardian_failure?: "deny" | "ask";
  findings?: { decline: "critical" | "high" | "medium" | "never" };
  grants?: "none" | "session" | "always";
  suggestions?: "none" | "tool" | "server";
  /** What becomes of an answer with what looks like a secret in it; confirm when no layer says. */
  secrets?: "refuse" | "confirm" | "note";
  /** Patterns of fields whose values stand in no journal, draft or suggestion. */
  withhold?: string | string[];
  quiet?: { from: string; to: string; offset: string; then: "cancel" | "decline" };
  servers?: Record<string, Server>;
  rules?: Rule[];
}

/** What a policy says of one server, by its exact name. */
export interface Server extends Tool {
  trust?: boolean;
  tools?: Record<string, Tool>;
}

/** What a policy says of one tool. */
export interface Tool {
  mode?: Policy["mode"];
  approvals?: "approve" | "auto" | "writes" | "prompt";
}

/** What to do with the requests that meet every criterion of `when`. */
export interface Rule {
  name?: string;
  when: Record<string, unknown>;
  unless?: Record<string, unknown>;
  then: Decided;
  why?: string;
}
