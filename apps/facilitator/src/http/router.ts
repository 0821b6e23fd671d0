import type { HttpRequest, Reply, Route } from './exchange.ts'

/** The endpoints, by method and path. */
export type Router = {
  on(method: 'GET' | 'POST', path: string, route: Route): void
  /** Undefined when there is no such endpoint. */
  find(request: HttpRequest): Found | undefined
}

/** An endpoint as it was registered, which every way to write its path leads to. */
export type Found = { readonly path: string; answer(): Reply | Promise<Reply> }

type Pattern = {
  readonly method: string
  readonly path: string
  readonly segments: readonly string[]
  readonly route: Route
}

/**
 * A path is literal, or has segments that begin with a colon and become the call's parameters, in order. It is read
 * decoded (RFC 3986 §6.2.2).
 */
export function createRouter(): Router {
  const literal = new Map<string, { readonly path: string; readonly route: Route }>()
  const patterns: Pattern[] = []
  return {
    on(method, path, route) {
      if (path.includes(':')) patterns.push({ method, path, segments: path.split('/'), route })
      else literal.set(`${method} ${path}`, { path, route })
    },
    find(request) {
      const mark = request.path.indexOf('?')
      const given = decoded(mark < 0 ? request.path : request.path.slice(0, mark))
      if (given === undefined) return undefined
      const query = (): URLSearchParams => new URLSearchParams(mark < 0 ? '' : request.path.slice(mark + 1))
      const known = given.some((segment) => segment.includes('/'))
        ? undefined
        : literal.get(`${request.method} ${given.join('/')}`)
      if (known !== undefined) return { path: known.path, answer: () => known.route({ request, params: [], query }) }
      for (const { method, path, segments, route } of patterns) {
        const params = method === request.method ? matched(segments, given) : undefined
        if (params !== undefined) return { path, answer: () => route({ request, params, query }) }
      }
      return undefined
    },
  }
}

/** The segments of a path; a slash that is written in percent signs divides nothing. */
function decoded(path: string): readonly string[] | undefined {
  if (!path.includes('%')) return path.split('/')
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return undefined
  }
}

function matched(segments: readonly string[], given: readonly string[]): readonly string[] | undefined {
  if (segments.length !== given.length) return undefined
  const params: string[] = []
  for (const [index, segment] of segments.entries()) {
    const value = given[index] ?? ''
    if (segment.startsWith(':')) params.push(value)
    else if (segment !== value) return undefined
  }
  return params
}
