import type { Server, ServerOptions } from '@modelcontextprotocol/server'

type Json = Readonly<Record<string, unknown>>

/** One JSON-RPC message as it came; `method` is empty for what is no request. */
export type Message = {
  readonly value: Json
  readonly method: string
  readonly params: Json
  readonly sources: Readonly<Record<string, string>>
}

/** What a test suite wants a server to have beside its own; served through the same door (decision 0064). */
export type Fixtures = {
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: Json }[]
  readonly prompts: readonly {
    readonly name: string
    readonly description: string
    readonly arguments: { readonly name: string; readonly description: string; readonly required: boolean }[]
  }[]
  readonly resources: readonly {
    readonly uri: string
    readonly name: string
    readonly title: string
    readonly description: string
    readonly mimeType: string
  }[]
  readonly templates: readonly {
    readonly uriTemplate: string
    readonly name: string
    readonly title: string
    readonly description: string
    readonly mimeType: string
  }[]
  readonly options: Pick<ServerOptions, 'capabilities' | 'requestState'>
  /** Sets up the server for a request that is for a fixture; false when it is not. */
  serve(server: Server, message: Message): boolean
  /** Hands on what is no request. */
  receive(message: Message): void
}
