import type { IncomingMessage, ServerResponse } from 'node:http'
import { originForm, requestFault, type HttpCounts } from '@ergon/process'
import { endpointAt, type Endpoint } from '../config/endpoints.ts'
import { Refusal } from '../errors.ts'
import type { SessionDeps } from '../session/deps.ts'
import type { Upstreams } from '../upstream/call-upstream.ts'
import { createCallers } from './caller.ts'
import { tellInfo } from './info.ts'
import { createDemands, createSeats } from './limits.ts'
import { say, sayRefusal } from './say.ts'
import { createServe } from './serve.ts'

/** `askForBody` lets a body come that its caller holds back. */
export type Handle = (
  request: IncomingMessage,
  response: ServerResponse,
  askForBody: (response: ServerResponse) => void,
) => Promise<void>

/** Answers every request. It never throws: what goes wrong before an answer began is answered as a refusal. */
export function createHandle(deps: SessionDeps, upstreams: Upstreams, counts: Pick<HttpCounts, 'note'>): Handle {
  const callers = createCallers(deps.config.trustedProxies)
  const seat = createSeats(deps.config.seats)
  const demandFailure = createDemands(deps.config.rates.failures)
  const serve = createServe(deps, upstreams, createDemands(deps.config.rates.acts))
  return async (request, response, askForBody) => {
    // A buyer may leave at any moment; whoever waits for it notices by itself.
    request.on('error', () => undefined)
    response.on('error', () => undefined)
    const address = callers.of(request)
    const [path, search] = splitOnce(originForm(request.url ?? ''))
    const began = performance.now()
    let endpoint: Endpoint | undefined
    let isInfo = false
    try {
      using _seat = seat(address)
      const fault = requestFault(request)
      if (fault !== undefined) {
        response.setHeader('connection', 'close')
        throw new Refusal(400, 'bad_request', fault)
      }
      const info = await tellInfo(deps, request.method ?? '', path)
      if (info !== undefined) {
        isInfo = true
        say(response, info.status, info.body)
        return
      }
      endpoint = endpointAt(deps.config.endpoints, path)
      if (endpoint === undefined) throw new Refusal(404, 'not_found', 'nothing is sold at this path')
      await serve({ request, response, askForBody, endpoint, path, search, address })
    } catch (error) {
      const refusal = counted(asRefusal(error, deps), () => {
        demandFailure(address)
      })
      if (response.headersSent || request.socket.destroyed) {
        response.destroy()
        return
      }
      if (refusal.type !== undefined && endpoint !== undefined)
        response.setHeader('www-authenticate', deps.challenges.headers(endpoint, await deps.recent(), Date.now()))
      sayRefusal(request, response, refusal)
    } finally {
      // Paths of the settings, never of a buyer.
      const name = isInfo ? '/__402' : endpoint === undefined ? '-' : endpoint.path || '/'
      counts.note(name, response.statusCode, performance.now() - began)
    }
  }
}

/** A credential that fails costs a proof: an address has only so many of them. */
function counted(refusal: Refusal, demandFailure: () => void): Refusal {
  if (refusal.type === undefined || refusal.type === 'payment-required') return refusal
  try {
    demandFailure()
    return refusal
  } catch (limited) {
    return limited instanceof Refusal ? limited : refusal
  }
}

function asRefusal(error: unknown, { log }: SessionDeps): Refusal {
  if (error instanceof Refusal) {
    if (error.status >= 500) log.warn({ err: error }, 'a call was not answered')
    return error
  }
  log.error({ err: error }, 'a call failed')
  return new Refusal(500, 'unexpected_error', 'the gateway failed')
}

function splitOnce(url: string): readonly [string, string] {
  const mark = url.indexOf('?')
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark)]
}
