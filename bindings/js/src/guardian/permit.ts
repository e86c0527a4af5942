import type { Phase } from "../contract.ts";

/** The permit of one guardian by its operator: an entry of `guardians` in a configuration. */
export interface GuardianPermit {
  /** By which reasons name it; unique among the permits of an engine. */
  name: string;
  /** SHA-256 of the module, 64 hex digits. Without one the host runs it. */
  digest?: string;
  /** The wishes in the module's manifest. */
  declared?: { phases: Phase[]; reads: string[]; codes?: string[] };
  settings?: object;
  /** SHA-256 of its data document, 64 hex digits. */
  data_digest?: string;
  /** The part of its declared data that it may see: JSON pointers, `*` for any one member. */
  reads?: string[];
  /** Left out, those declared. */
  phases?: Phase[];
  /** Verdicts are recorded and never counted. */
  audit?: boolean;
  /** Of one evaluation; 5,000,000 unless told, at most 50,000,000. */
  fuel?: number;
  /** It may import WASI, which shows it no clock, no files and no chance. */
  wasi?: boolean;
  /** 2,000 unless told, 90,000 for a reviewer. */
  deadline_ms?: number;
  /** Its allow may answer an approval, where policy names a reviewer. */
  reviewer?: boolean;
  /** A question that the reviewer does not allow goes to a person instead of being declined. */
  escalate?: boolean;
  /** The host runs it, whoever else could. */
  host?: boolean;
}

/** A guest's description of itself. */
export interface Manifest {
  name: string;
  version: string;
  summary?: string;
  phases: Phase[];
  /** JSON pointers into the question, `*` for any one member. */
  reads: string[];
  /** Of its findings, the most important first: all that is kept of them where it is shown a secret. */
  codes?: string[];
  /** The content that its data document must have, for people. With this member it runs only with such a document. */
  data?: string;
  /** A JSON Schema for people; the guest itself decides what settings fit. */
  settings?: object;
  license?: string;
  source?: string;
}
