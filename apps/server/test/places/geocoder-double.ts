import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How it treats a question: as it should, or in one of the ways in which a geocoder goes wrong. */
export type Manner =
  | 'answers'
  | 'finds nothing'
  | 'says nothing'
  | 'trickles'
  | 'limits'
  | 'rests'
  | 'breaks'
  | 'redirects within'
  | 'redirects'
  | 'answers no JSON'
  | 'answers something else'
  | 'answers nothing usable'
  | 'answers without end'
  | 'answers and goes on'
  | 'hangs up'

/** A geocoder that speaks as Photon and as Nominatim do, and can be told how to behave. */
export type GeocoderDouble = AsyncDisposable & {
  readonly url: string
  manner: Manner
  /** How long it is to be left alone, in seconds, as its header says it. */
  retryAfter: string
  /** What it was asked, in order. */
  readonly asked: { readonly target: string; readonly headers: IncomingHttpHeaders }[]
}

/** Settings of a deployment that asks a geocoder which nobody started. */
export const geocoderNowhere = { SVC_GEOCODER_URL: 'http://127.0.0.1:9' } as const

const [lat, lng] = [41.6561, -0.8773]
const feature = (street: string, housenumber: string, country: string) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [lng, lat] },
  properties: { street, housenumber, postcode: '50003', city: 'Zaragoza', state: 'Aragón', country },
})
const row = (name: string, country: string) => ({
  place_id: 7,
  lat: String(lat),
  lon: String(lng),
  display_name: `${name}, Casco Antiguo, Zaragoza, 50003, ${country}`,
})

export async function startGeocoderDouble(): Promise<GeocoderDouble> {
  const asked: GeocoderDouble['asked'] = []
  const state = { manner: 'answers' as Manner, retryAfter: '20' }
  const timers = new Set<NodeJS.Timeout>()
  const server = createServer((request, response) => {
    const target = request.url ?? ''
    asked.push({ target, headers: request.headers })
    const { pathname, searchParams } = new URL(target, 'http://double.test')
    const isPhoton = pathname.endsWith('/api')
    const text = searchParams.get('q') ?? ''
    const country = request.headers['accept-language'] === 'es' ? 'España' : 'Spain'
    behave(state, response, timers, {
      found: isPhoton
        ? { type: 'FeatureCollection', features: ['1', '2'].map((number) => feature(text, number, country)) }
        : ['1', '2'].map((number) => row(`${number}, ${text}`, country)),
      nothing: isPhoton ? { type: 'FeatureCollection', features: [] } : [],
      unusable: isPhoton ? { features: [{ type: 'Feature' }, feature('', '', '')].map(withoutPlace) } : [{ lat: 'x' }],
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo // it listens on a port
  return Object.assign(state, {
    url: `http://127.0.0.1:${String(port)}`,
    asked,
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer)
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve()
        })
      })
    },
  })
}

const withoutPlace = (one: object): object => ({ ...one, geometry: { type: 'Point', coordinates: ['1', '2'] } })

type Bodies = { readonly found: unknown; readonly nothing: unknown; readonly unusable: unknown }

type State = Pick<GeocoderDouble, 'manner' | 'retryAfter'>

function behave(state: State, response: ServerResponse, timers: Set<NodeJS.Timeout>, bodies: Bodies): void {
  const say = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
  const drip = (text: string, everyMs: number): void => {
    response.writeHead(200, { 'content-type': 'application/json' })
    timers.add(setInterval(() => response.write(text), everyMs))
  }
  switch (state.manner) {
    case 'answers':
      return say(200, bodies.found)
    case 'finds nothing':
      return say(200, bodies.nothing)
    case 'says nothing':
      return undefined
    case 'trickles':
      return drip(' ', 20)
    case 'limits':
      return say(429, {}, { 'retry-after': state.retryAfter })
    case 'rests':
      return say(503, {}, { 'retry-after': state.retryAfter })
    case 'breaks':
      return say(500, bodies.nothing)
    case 'redirects within':
      return say(302, bodies.nothing, { location: 'http://169.254.169.254/latest/meta-data' })
    case 'redirects':
      return say(307, bodies.nothing, { location: '/search?q=elsewhere' })
    case 'answers no JSON':
      return void response.writeHead(200).end('<html>[]</html>')
    case 'answers something else':
      return say(200, { places: [] })
    case 'answers nothing usable':
      return say(200, bodies.unusable)
    case 'answers without end':
      return drip(' '.repeat(65_536), 1)
    case 'answers and goes on':
      return void response.writeHead(200).end(JSON.stringify(bodies.found) + ' '.repeat(65_536))
    case 'hangs up':
      return void response.destroy()
  }
}
