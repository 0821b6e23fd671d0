import { a2aCodeOf, a2aErrors, a2aHttpStatus, type A2aErrorName, type ErrorCode } from '@ergon/contract'
import type { Step } from '../../dispatch/a2a-answers.ts'
import type { Served } from '../../dispatch/dispatch.ts'
import { rpcError, rpcResult, type RpcId } from './json-rpc.ts'

/**
 * How a method ended; the route only writes it down. A stream begins with the step that was read while it could still
 * be refused.
 */
export type Outcome = {
  readonly id: RpcId
  readonly served: Served
  readonly status: number
  readonly text: string
  readonly stream?: TextStream
}

/** Text that goes on until it ends or is stopped; nobody waits for what comes after. */
export type TextStream = { readonly text: AsyncIterable<string>; stop(): void }

type Fields = Readonly<Record<string, unknown>>

export function success(id: RpcId, served: Served, result: unknown = served.body): Outcome {
  return { id, served, status: 200, text: rpcResult(id, result) }
}

/**
 * A refusal; `rpc` is its name where it is the protocol that refuses, `more` is added to the market's own body in
 * `data`.
 */
export function failure(
  id: RpcId,
  served: Served & { readonly code: string },
  rpc: A2aErrorName | null = null,
  more: Fields = {},
): Outcome {
  // A served call that failed carries a code of the catalogue and its body.
  const [code, body] = [served.code as ErrorCode, served.body as Fields]
  return {
    id,
    served,
    status: a2aHttpStatus(code),
    text: rpcError(id, rpc === null ? a2aCodeOf(code) : a2aErrors[rpc].code, String(body['message']), {
      ...body,
      ...more,
    }),
  }
}

export function outcome(id: RpcId, served: Served): Outcome {
  return hasFailed(served) ? failure(id, served) : success(id, served)
}

export function hasFailed(served: Served): served is Served & { readonly code: string } {
  return served.code !== null
}

export type Opened = {
  readonly first: Step
  readonly rest: AsyncGenerator<Step>
  /** Ends it and makes room; may be called again. */
  readonly stop: () => void
}

/** Steps as server-sent events, each a whole JSON-RPC answer to the same id; the reader sets the pace. */
export async function* frames(id: RpcId, { first, rest, stop }: Opened): AsyncGenerator<string> {
  try {
    yield frame(id, first)
    for await (const step of rest) yield frame(id, step)
  } finally {
    stop()
    await rest.return(undefined)
  }
}

const frame = (id: RpcId, step: Step): string =>
  step === null ? ': \n\n' : `id: ${step.place}\ndata: ${rpcResult(id, step.update)}\n\n`

/** An answer that ends its stream at once. */
export function oneFrame(text: string): TextStream {
  return {
    text: (async function* frame() {
      yield await Promise.resolve(`data: ${text}\n\n`)
    })(),
    stop: () => undefined,
  }
}
