/** What `firefox.ts` reaches of Playwright's inside, which has no types. */
declare module 'playwright-core/lib/coreBundle' {
  export type Asked = { readonly id: number; readonly method: string }
  export type Transport = { onmessage?: (answer: object) => void; send(asked: Asked): void }
  export const server: { readonly WebSocketTransport: { readonly prototype: Transport } }
}
