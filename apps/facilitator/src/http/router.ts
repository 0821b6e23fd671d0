import type { HttpRequest, Reply, Route } from './exchange.ts'

/** The endpoints, by method and path. */
export type Router = {
  on(method: 'GET' | 'POST', path: string, route: Route): void
  /** Undefined when there is no such endpoint. */
  route(request: HttpRequest): Reply | Promise<Reply> | undefined
}

type Pattern = { readonly method: string; readonly segments: readonly string[]; readonly route: Route }

/** A path is literal, or has segments that begin with a colon and become the call's parameters, in order. */
export function createRouter(): Router {
  const literal = new Map<string, Route>()
  const patterns: Pattern[] = []
  return {
    on(method, path, route) {
      if (path.includes(':')) patterns.push({ method, segments: path.split('/'), route })
      else literal.set(`${method} ${path}`, route)
    },
    route(request) {
      const mark = request.path.indexOf('?')
      const path = mark < 0 ? request.path : request.path.slice(0, mark)
      const query = (): URLSearchParams => new URLSearchParams(mark < 0 ? '' : request.path.slice(mark + 1))
      const known = literal.get(`${request.method} ${path}`)
      if (known !== undefined) return known({ request, params: [], query })
      const given = path.split('/')
      for (const pattern of patterns) {
        const params = pattern.method === request.method ? matched(pattern.segments, given) : undefined
        if (params !== undefined) return pattern.route({ request, params, query })
      }
      return undefined
    },
  }
}

function matched(segments: readonly string[], given: readonly string[]): readonly string[] | undefined {
  if (segments.length !== given.length) return undefined
  const params: string[] = []
  for (const [index, segment] of segments.entries()) {
    const value = given[index] ?? ''
    if (!segment.startsWith(':')) {
      if (segment !== value) return undefined
      continue
    }
    try {
      params.push(decodeURIComponent(value))
    } catch {
      return undefined
    }
  }
  return params
}
