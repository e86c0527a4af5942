import type { Severity } from "./contract.ts";

/** The output of the operation `describe`: all names and limits that a module understands. */
export interface Description {
  abi: { current: number; oldest: number };
  statuses: string[];
  /** The stateless operations of this module, and the number of each. */
  ops: string[];
  op_numbers: number[];
  events: string[];
  effects: string[];
  abouts: string[];
  protocols: string[];
  actions: string[];
  outcomes: string[];
  causes: string[];
  problems: string[];
  reasons: string[];
  /** The findings. The text is English, with the arguments in braces. */
  findings: { code: string; severity: Severity; text: string }[];
  remarks: string[];
  limits: { name: string; default: number; most: number; least: number }[];
  configuration: ConfigurationMember[];
  layers: string[];
  policy_keys: string[];
  receipts: string[];
  scopes: string[];
  vias: string[];
  takes: string[];
  /** The kinds of parts of a message. */
  parts: string[];
  faults: string[];
  phases: string[];
  resolutions: string[];
  /** The agent frameworks whose interrupts are read, and the answers that an interrupt may take. */
  frameworks: string[];
  interrupt_options: string[];
  /** The names that belong to connections. Events and effects are only those that an engine does not have. */
  relay: { events: string[]; effects: string[]; roles: string[]; askers: string[]; config: ConfigurationMember[] };
  /** The names that belong to machines of the asking side. The module for pages has none. */
  asking?: {
    events: string[];
    effects: string[];
    offers: string[];
    orders: string[];
    config: ConfigurationMember[];
    asker: { events: string[]; effects: string[]; failures: string[]; most_body: number };
  };
}

/** A member of a configuration. */
export interface ConfigurationMember {
  name: string;
  type: string;
  default?: unknown;
  values?: string[];
}
