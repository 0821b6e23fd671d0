/** A request as any carrier brings it. Header names are lowercase. */
export type HttpRequest = {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Uint8Array
  /** Who asks, for the rate limit; absent where the carrier has no addresses. */
  readonly from?: string
}

/** JSON in `body`, always. */
export type HttpAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What an endpoint answers, before it is bytes. */
export type Reply = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
}

export type Call = {
  readonly request: HttpRequest
  readonly params: readonly string[]
  readonly query: () => URLSearchParams
}
export type Route = (call: Call) => Reply | Promise<Reply>

export function ok(body: object): Reply {
  return { status: 200, body }
}

/** One value of a header, undefined when it is absent or repeated. */
export function headerOf(request: HttpRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}
