export { elicitationHandler, RefusedError } from "./handler.ts";
export type {
  ElicitationHandler,
  ElicitRequest,
  ElicitResult,
  Extra,
  HandlerOptions,
  InputRequests,
} from "./handler.ts";
export { OpenQuestion, type Ui } from "../open-question.ts";
