export { AskerMachine, type AskerConfiguration } from "./asker.ts";
export type * from "./asker-event.ts";
export { Asking, type AskingConfiguration } from "./asking.ts";
export * from "./codes.ts";
export type * from "./configuration.ts";
export type * from "./contract.ts";
export { connect, type Connection } from "./connection.ts";
export { Handlers, type Handler } from "./handlers.ts";
export type * from "./describe.ts";
export { Engine, type Operation } from "./engine.ts";
export { GuardianData } from "./guardian/data.ts";
export type { Evaluation } from "./guardian/evaluation.ts";
export type * from "./guardian/permit.ts";
export { Guest, type Description as GuestDescription } from "./guardian/guest.ts";
export type { LogLine } from "./guardian/log.ts";
export { EngineFault, InputError } from "./fault.ts";
export type { StepOptions, Wrapped } from "./step-options.ts";
export {
  JournalError,
  type ConnectOptions,
  type GuardianAnswer,
  type Host,
  type HostEffect,
  type Journal,
} from "./host.ts";
export { lines } from "./lines.ts";
export { OpenForm } from "./open-form.ts";
export { OpenQuestion, type Ui } from "./open-question.ts";
export { load, type Source } from "./module.ts";
export { Relay, type RelayConfiguration } from "./relay.ts";
