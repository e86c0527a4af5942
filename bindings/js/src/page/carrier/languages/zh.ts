import { zh } from "../../../form/strings/zh.ts";
import type { Language } from "../../words.ts";
import type { en } from "./en.ts";

const language: Language<typeof en> = {
  form: zh,
  page: {
    loading: "正在加载……",
    newTitle: "{server} 向您提问",
    newText: "只有在您预料到这个问题时才继续。如果链接是别人发给您的，请关闭此页面：您的回答只会帮助对方，而不是您。",
    newOnce: "之后，此链接只在这个浏览器中有效。",
    next: "继续",
    direct: "您的回答直接发送给 {server}，您的助手看不到。",
    secret: "您在此输入的内容直接发送给 {server}，您的助手看不到。",
    secretFinding: "此表单要求提供机密信息（{word}）；页面只把它发送给自己的服务器",
    unsent: "回答没有到达服务器。请重试。",
    accept: "{server} 已收到您的回答",
    decline: "您已拒绝",
    cancel: "您已取消",
    close: "您可以关闭此页面。",
    signIn: "登录",
    again: "重试",
    refusals: {
      sign_in: ["请先登录", "{server} 需要先知道您是谁，才能显示问题。"],
      forbidden: ["此链接不是给您的", "它属于另一个账户。请使用请求此链接的账户登录。"],
      unknown: ["此链接无效", "链接可能不完整，或者已经太旧。请重新获取链接。"],
      used: ["此链接已在另一个浏览器中打开", "每个链接只在一个浏览器中有效。如果那不是您的浏览器，请重新获取链接。"],
      expired: ["时间已到", "问题已结束，没有得到回答。请重新获取链接。"],
      answered: ["此问题已被回答", "链接不再有效。您可以关闭此页面。"],
      closed: ["问题已被撤回", "{server} 不再需要回答。您可以关闭此页面。"],
      no_cookie: ["此页面需要 Cookie", "请允许此页面使用 Cookie，然后重试。"],
      busy: ["服务器繁忙", "请稍后重试。"],
      failed: ["服务器出现故障", "现在无法显示问题。请稍后重试。"],
      no_link: ["此链接不完整", "请打开完整的链接，包括 # 号后面的部分。"],
      unreachable: ["无法连接到服务器", "请检查网络连接，然后重试。"],
    },
  },
};

export default language;
