import { operations, type Operation, type OperationName } from '@ergon/contract'
import { Compile } from 'typebox/compile'
import type { Reply } from '../dispatch/send.ts'
import type { Party } from '../http/live-market.ts'

export type Request = {
  readonly method: string
  readonly target: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}
export type Send = (request: Request) => Promise<Reply>
/** Comes between a step and the service: may change a request, and make others before it. */
export type Between = (request: Request, send: Send) => Promise<Reply>

/** Which routes answered with success since it was last begun, each answer held to the schema of its operation. */
export type Journal = {
  begin(): void
  note(method: string, target: string, reply: Reply): void
  /** A party whose calls are noted. */
  watch<P extends Party>(party: P): P
  /** A way to the service whose answers are noted. */
  through(send: Send): Send
  readonly succeeded: ReadonlySet<string>
}

type Route = { readonly name: string; readonly route: string; readonly pattern: RegExp; readonly placeholders: number }

const routes: readonly Route[] = Object.entries<Operation>(operations)
  .flatMap(([name, { rest }]) =>
    rest.map(({ method, path }) => {
      const pattern = new RegExp(`^${method} ${path.replaceAll('.', '\\.').replaceAll(/\{[a-z_]+\}/g, '[^/]+')}$`)
      return { name, route: `${method} ${path}`, pattern, placeholders: path.split('{').length }
    }),
  )
  .sort((one, other) => one.placeholders - other.placeholders)

const outputs = new Map(Object.entries<Operation>(operations).map(([name, { output }]) => [name, Compile(output)]))

/** The operation that answers a request; the path without a placeholder goes first. */
export const routeOf = (method: string, target: string): Route | undefined =>
  routes.find(({ pattern }) => pattern.test(`${method} ${target.split('?', 1)[0] ?? ''}`))

export const routesOf = (name: OperationName): readonly string[] =>
  routes.filter((one) => one.name === name).map(({ route }) => route)

export function createJournal(between: Between = (request, send) => send(request)): Journal {
  const succeeded = new Set<string>()
  const note = (method: string, target: string, reply: Reply): void => {
    const route = routeOf(method, target)
    if (route === undefined || reply.status < 200 || reply.status > 299) return
    const faults = [...(outputs.get(route.name)?.Errors(reply.body) ?? [])]
    // A stream is no JSON; its step reads it.
    if (faults.length > 0 && !route.name.endsWith('.stream'))
      throw new Error(
        `${route.route} answers outside its schema: ${JSON.stringify(faults)} in ${JSON.stringify(reply.body)}`,
      )
    succeeded.add(route.route)
  }
  const through =
    (send: Send): Send =>
    async (request) => {
      const reply = await between(request, send)
      note(request.method, request.target, reply)
      return reply
    }
  return {
    succeeded,
    note,
    through,
    begin: () => {
      succeeded.clear()
    },
    watch(party) {
      const send = through(({ method, target, body, headers }) => party.call(method, target, body, headers))
      return {
        ...party,
        call: (method, target, body, headers) =>
          send({ method, target, body, ...(headers === undefined ? {} : { headers }) }),
      }
    },
  }
}
