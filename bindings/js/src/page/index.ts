import { ElicitPage } from "./page.ts";

customElements.define("elicit-page", ElicitPage);
