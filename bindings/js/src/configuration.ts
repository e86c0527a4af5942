import type { Layer, LimitName, Profile } from "./codes.ts";
import type { Grant } from "./contract.ts";
import type { GuardianPermit } from "./guardian/permit.ts";

/** The configuration of an engine. A member that is left out has its default (docs/reference/configuration.md). */
export interface Configuration {
  /** Policy documents by layer (docs/reference/policy.md). The exact text goes under the name with `_text`. */
  policy?: { [K in Layer]?: Policy } & { [K in `${Layer}_text`]?: string } & {
    /** Where the managed document was read, for people who read the journal. It decides nothing. */
    managed_path?: string;
  };
  /** How far a schema may go beyond the protocol's own grammar. */
  profile?: Profile;
  /** Emit pause effects. */
  pauses?: boolean;
  /** Give one answer to the same question asked twice. */
  join_duplicates?: boolean;
  /**
   * Names of servers that are known before any session is opened. A finding warns of a server whose name imitates one
   * (docs/reference/flagged.md).
   */
  servers?: string[];
  /** Show effects say how long a yes may be remembered. */
  offer_scopes?: boolean;
  /** Show effects say what has changed since the person last accepted almost the same question. */
  show_changes?: boolean;
  /** Grants with scope `always`, as the `remember` effects contained them. */
  grants?: Grant[];
  /** The guardians to consult before a question is shown and before an answer is sent, in this order; at most 16. */
  guardians?: GuardianPermit[];
  /** Sizes are in bytes. Names that end in `_ms` are in milliseconds. */
  limits?: { [K in LimitName]?: number };
}

/** The decisions of a policy, from the loosest to the strictest. */
export type Decided = "accept" | "review" | "ask" | "cancel" | "decline";

/** One layer of policy; see docs/reference/policy.md. */
export interface Policy {
  $schema?: string;
  version: 1;
  approval_policy?: "untrusted" | "on-request" | "on-failure" | "never" | { granular: Record<string, boolean> };
  access?: "sandboxed" | "full";
  reviewer?: "user" | "auto_review";
  /** The decision to assume when a guardian gives no verdict; left out, deny. */
  on_guardian_failure?: "deny" | "ask";
  late_questions?: "assume" | "seen";
  /** The decision of a rule that declines and only may match; `ask` if no layer sets it. */
  unknown?: "ask" | "decline";
  findings?: { decline: "critical" | "high" | "medium" | "never" };
  grants?: "none" | "session" | "always";
  suggestions?: "none" | "tool" | "server";
  /** How to treat an answer that seems to contain a secret; `confirm` if no layer sets it. */
  secrets?: "refuse" | "confirm" | "note";
  /** Patterns of field names. The values of such fields are left out of the journal, drafts and suggestions. */
  withhold?: string | string[];
  /** The least severe finding with which Elicit shows a question itself, although the client could; else `never`. */
  own_surface?: "critical" | "high" | "medium" | "never";
  quiet?: { from: string; to: string; offset: string; then: "cancel" | "decline" };
  servers?: Record<string, Server>;
  rules?: Rule[];
}

/** The settings for one server, by its exact name. */
export interface Server extends Tool {
  trust?: boolean;
  tools?: Record<string, Tool>;
}

/** The settings for one tool. */
export interface Tool {
  approval_policy?: Policy["approval_policy"];
  approvals?: "approve" | "auto" | "writes" | "prompt";
}

/** The decision for requests that meet every criterion of `when`, except those that meet every one of `unless`. */
export interface Rule {
  name?: string;
  when: Record<string, unknown>;
  unless?: Record<string, unknown>;
  then: Decided;
  why?: string;
}
