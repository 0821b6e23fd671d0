import { operations, type Operation, type OperationName } from '@ergon/contract'
import { Compile } from 'typebox/compile'
import type { Reply } from '../dispatch/send.ts'
import type { Party } from '../http/live-market.ts'

/** Which routes answered with success since it was last begun, each answer held to the schema of its operation. */
export type Journal = {
  begin(): void
  note(method: string, target: string, reply: Reply): void
  /** A party whose calls are noted. */
  watch<P extends Party>(party: P): P
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

export function createJournal(): Journal {
  const succeeded = new Set<string>()
  const note = (method: string, target: string, reply: Reply): void => {
    const route = routeOf(method, target)
    if (route === undefined || reply.status < 200 || reply.status > 299) return
    const faults = [...(outputs.get(route.name)?.Errors(reply.body) ?? [])]
    // A stream is no JSON; its step reads it.
    if (faults.length > 0 && route.name !== 'events.stream')
      throw new Error(
        `${route.route} answers outside its schema: ${JSON.stringify(faults)} in ${JSON.stringify(reply.body)}`,
      )
    succeeded.add(route.route)
  }
  return {
    succeeded,
    note,
    begin: () => {
      succeeded.clear()
    },
    watch: (party) => ({
      ...party,
      async call(method, target, body, headers) {
        const reply = await party.call(method, target, body, headers)
        note(method, target, reply)
        return reply
      },
    }),
  }
}
