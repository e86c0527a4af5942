import { ElicitCarrier } from "./page.ts";

customElements.define("elicit-carrier", ElicitCarrier);
