import { MarketError } from '@ergon/core'
import { createBoundedCache } from '../../surroundings/bounded-cache.ts'
import { placesPath, readPlaces, type FoundPlace, type GeocoderKind } from './read-places.ts'

export type PlaceQuestion = { readonly text: string; readonly language: 'en' | 'es' }

/** Finds places by their address, at a service that the operator named. */
export type Geocoder = {
  /** Whose data it is. */
  readonly attribution: string
  /** What was found for a question lately; undefined when it has to be asked. */
  known(question: PlaceQuestion): readonly FoundPlace[] | undefined
  /** @throws GEOCODER_UNAVAILABLE: what is not known is never told as nothing found */
  find(question: PlaceQuestion): Promise<readonly FoundPlace[]>
}

type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly isCut: boolean
}

export type GeocoderDeps = {
  /** Looks at each address that a name leads to, and follows nothing. */
  readonly client: {
    exchange(request: {
      readonly url: string
      readonly method: 'GET'
      readonly headers: Readonly<Record<string, string>>
      readonly timeoutMs: number
      readonly maxBytes: number
    }): Promise<Answer>
  }
  /** Without a slash at its end. */
  readonly url: string
  readonly kind: GeocoderKind
  readonly timeoutMs: number
  readonly attribution: string
  /** Proves this deployment to it. */
  readonly header: readonly [name: string, value: string] | null
  /** Who asks: the service, never a person. */
  readonly userAgent: string
  readonly retryAfterMs: (header: string | undefined, at: Date) => number | null
  readonly now: () => Date
  readonly onFault: (fault: unknown) => void
}

const maxBytes = 64 * 1024
/** Requests at once; what comes above them is not asked. */
const mostAtOnce = 8
const keptMs = 86_400_000
const mostKept = 2_000
/** After it said that it is asked too often; it may name a time of its own, within bounds. */
const restMs = { unsaid: 30_000, least: 1_000, most: 300_000 } as const

/** So long nobody waits before an empty list: a client that is told so says at once that there is no answer. */
const leastWaitSec = 15

export function createGeocoder(deps: GeocoderDeps): Geocoder {
  const kept = createBoundedCache<readonly FoundPlace[]>(mostKept, keptMs)
  const underWay = new Map<string, Promise<readonly FoundPlace[]>>()
  let restsUntil = 0
  const ask = async (question: PlaceQuestion): Promise<readonly FoundPlace[]> => {
    const answer = await exchange(deps, question)
    if (answer.status === 429 || answer.status === 503) {
      const saidMs = deps.retryAfterMs(answer.headers['retry-after'], deps.now()) ?? restMs.unsaid
      restsUntil = performance.now() + Math.min(restMs.most, Math.max(restMs.least, saidMs))
    }
    const places = answer.status === 200 && !answer.isCut ? readPlaces(deps.kind, answer.body) : null
    if (places === null) {
      deps.onFault(`it answered ${String(answer.status)}, which cannot be used`)
      throw unavailable(restsUntil - performance.now())
    }
    kept.set(keyOf(question), places)
    return places
  }
  return {
    attribution: deps.attribution,
    known: (question) => kept.get(keyOf(question)),
    async find(question) {
      const key = keyOf(question)
      // Many may type the same at once.
      const running = underWay.get(key)
      if (running !== undefined) return await running
      const restLeftMs = restsUntil - performance.now()
      if (restLeftMs > 0 || underWay.size >= mostAtOnce) throw unavailable(restLeftMs)
      const asked = ask(question).finally(() => {
        underWay.delete(key)
      })
      underWay.set(key, asked)
      return await asked
    },
  }
}

async function exchange(deps: GeocoderDeps, { text, language }: PlaceQuestion): Promise<Answer> {
  const { client, url, kind, header, userAgent, timeoutMs, onFault } = deps
  const headers = {
    accept: 'application/json',
    'accept-language': language,
    'user-agent': userAgent,
    ...(header === null ? {} : { [header[0]]: header[1] }),
  }
  try {
    return await client.exchange({ url: url + placesPath(kind, text), method: 'GET', headers, timeoutMs, maxBytes })
  } catch (fault) {
    onFault(fault)
    throw unavailable(0, fault)
  }
}

const unavailable = (waitMs: number, cause?: unknown): MarketError =>
  new MarketError(
    'GEOCODER_UNAVAILABLE',
    { retry_after_sec: Math.max(leastWaitSec, Math.ceil(waitMs / 1_000)) },
    cause === undefined ? {} : { cause },
  )

/** Case and blanks make no other question. */
const keyOf = ({ text, language }: PlaceQuestion): string => `${language} ${text.toLowerCase()}`
