export type { CustomRoute, ReceivedRequest } from './custom-route.ts'
export type { HttpEnv } from './http-env.ts'
export {
  type HttpHandler,
  type HttpHandlerOptions,
  httpHandler,
  type NodeHandler,
} from './http-handler.ts'
export { type Listening, type ListenOptions, listen } from './listen.ts'
export {
  type HttpNotifications,
  type LinkedAction,
  type NotificationForm,
  type NotificationView,
  notificationForm,
  type PushSubscription,
  pushSubscription,
  SETTING_FIELDS,
  type TestedChannel,
} from './notification-settings.ts'
export type { HttpAudit, HttpIdentity, HttpOptions } from './options.ts'
export type {
  ClientConnection,
  ClientRequest,
  HttpOAuth,
  NodeExchange,
} from './page/client-consent-page.ts'
export { type Html, html } from './page/html.ts'
export { page } from './page/page.ts'
export { curlSample } from './page/tool-page.ts'
export { type HttpWebhooks, viewDelivery, type WebhookView } from './webhooks-api.ts'
