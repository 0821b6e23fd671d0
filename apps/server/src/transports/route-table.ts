import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether pages of every origin may read what a route answers; without it only our own pages may. */
    readonly origins?: 'every'
  }
}

/** One method of one path. */
export type KnownMethod = { readonly method: string; readonly isOpen: boolean }

/** What this service routes, whatever added the route. */
export type RouteTable = {
  /** The methods that answer a path, each once; none where nothing does. */
  at(path: string): readonly KnownMethod[]
}

type Known = { readonly segments: readonly string[]; readonly methods: Map<string, KnownMethod> }

/** Learns every route that is added from now on, because the router tells nobody which methods a path has. */
export function watchRoutes(server: FastifyInstance): RouteTable {
  const known = new Map<string, Known>()
  server.addHook('onRoute', ({ url, method, config }) => {
    const entry = known.get(url) ?? { segments: url.split('/'), methods: new Map<string, KnownMethod>() }
    known.set(url, entry)
    for (const one of [method].flat()) entry.methods.set(one, { method: one, isOpen: config?.origins === 'every' })
  })
  return {
    at(path) {
      const given = path.split('/')
      const found = new Map<string, KnownMethod>()
      for (const { segments, methods } of known.values()) {
        if (!answers(segments, given)) continue
        for (const [name, one] of methods) if (found.get(name)?.isOpen !== true) found.set(name, one)
      }
      return [...found.values()].sort((one, other) => (one.method < other.method ? -1 : 1))
    },
  }
}

function answers(template: readonly string[], given: readonly string[]): boolean {
  if (template.at(-1) === '*' ? given.length < template.length : given.length !== template.length) return false
  return template.every((part, at) => part === '*' || (part.startsWith(':') ? given[at] !== '' : part === given[at]))
}
