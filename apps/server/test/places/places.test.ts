import { ownClock } from '@ergon/dev-env/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startRig, type Rig } from '../adapters/rig.ts'
import { expectStatus, startLiveMarket, type LiveMarket, type Party } from '../http/live-market.ts'
import { startGeocoderDouble, type GeocoderDouble, type Manner } from './geocoder-double.ts'

/** Addresses are looked up at a real HTTP server, which behaves or does not (decision 0253). */
const stack = new AsyncDisposableStack()
const timeoutMs = 1_000
/** Where nothing is meant to be late, however busy the machine is. */
const unhurried = { SVC_GEOCODER_TIMEOUT_MS: '10000' } as const
let double: GeocoderDouble
let rig: Rig
let live: LiveMarket
let nominatim: LiveMarket
let wallet: Party
const marketWith = async (env: Readonly<Record<string, string>>): Promise<LiveMarket> =>
  stack.use(
    await startLiveMarket(
      { SVC_GEOCODER_URL: `${double.url}/`, SVC_GEOCODER_TIMEOUT_MS: String(timeoutMs), ...env },
      rig,
      { withoutDuties: true },
    ),
  )
beforeAll(async () => {
  double = stack.use(await startGeocoderDouble())
  rig = stack.use(await startRig())
  const open = { SVC_RATE_ANON_PER_MIN: '0', SVC_GEOCODER_PER_MINUTE: '1000' }
  live = await marketWith({ ...open, SVC_GEOCODER_HEADER: 'X-Api-Key: a key of ours' })
  nominatim = await marketWith({
    ...open,
    SVC_GEOCODER_KIND: 'nominatim',
    SVC_GEOCODER_ATTRIBUTION: '© A map maker',
  })
  wallet = await live.party(0n)
})
afterAll(() => stack.disposeAsync())

const words = { count: 0 }
/** A text that nobody asked for before. */
const anew = (): string => `calle ${String((words.count += 1))}`
const target = (q: string, more = ''): string => `/api/v1/places?q=${encodeURIComponent(q)}${more}`
beforeEach(() => {
  double.manner = 'answers'
  double.retryAfter = '20'
  double.asked.length = 0
})

describe('A geocoder that answers', () => {
  test('is asked by the service in its own name, and what it finds is shown with whose data it is', async () => {
    const { body } = expectStatus(await live.get(target('Plaza del Pilar', '&language=es')), 200)
    expect(body).toEqual({
      places: [
        { name: 'Plaza del Pilar 1, 50003 Zaragoza, Aragón, España', lat: 41.6561, lng: -0.8773 },
        { name: 'Plaza del Pilar 2, 50003 Zaragoza, Aragón, España', lat: 41.6561, lng: -0.8773 },
      ],
      attribution: '© OpenStreetMap contributors',
    })
    const english = expectStatus(await live.get(target('Plaza del Pilar')), 200).body['places']
    expect(english).toMatchObject([{ name: 'Plaza del Pilar 1, 50003 Zaragoza, Aragón, Spain' }, {}])
    const [{ target: asked, headers } = { target: '', headers: {} }] = double.asked
    expect(asked).toBe('/api?q=Plaza+del+Pilar&limit=5')
    expect(headers).toMatchObject({ 'accept-language': 'es', 'x-api-key': 'a key of ours' })
    expect(headers['user-agent']).toMatch(/^ergon\/\S+ \(http/)
    expect(Object.keys(headers).sort()).toEqual(
      ['accept', 'accept-language', 'connection', 'host', 'user-agent', 'x-api-key'].sort(),
    )
  })

  test('may speak as Nominatim does, and name whom its operator says', async () => {
    const { body } = expectStatus(await nominatim.get(target('Plaza del Pilar')), 200)
    expect(body['attribution']).toBe('© A map maker')
    expect(body['places']).toHaveLength(2)
    expect(double.asked.map((one) => one.target)).toEqual(['/search?q=Plaza+del+Pilar&limit=5&format=jsonv2'])
    expect(double.asked[0]?.headers).toMatchObject({ 'accept-language': 'en' })
  })

  test('is asked once for what many ask at the same time, and not again for what it said lately', async () => {
    const text = anew()
    const answers = await Promise.all(Array.from({ length: 6 }, () => live.get(target(text))))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200))
    expectStatus(await live.get(target(`  ${text.toUpperCase()} `)), 200)
    expect(double.asked).toHaveLength(1)
    expectStatus(await live.get(target(text, '&language=es')), 200)
    expect(double.asked).toHaveLength(2)
  })

  test('that finds nothing is believed', async () => {
    double.manner = 'finds nothing'
    const text = anew()
    expect(expectStatus(await live.get(target(text)), 200).body['places']).toEqual([])
    expect(expectStatus(await nominatim.get(target(text)), 200).body['places']).toEqual([])
  })
})

describe('A geocoder that does not answer as it should', () => {
  test.each<Manner>([
    'says nothing',
    'trickles',
    'breaks',
    'redirects within',
    'redirects',
    'answers no JSON',
    'answers something else',
    'answers nothing usable',
    'answers without end',
    'answers and goes on',
    'hangs up',
  ])('and %s is told as such, soon, and never as nothing found; it is asked again', async (manner) => {
    for (const market of [live, nominatim]) {
      double.manner = manner
      double.asked.length = 0
      const text = anew()
      const ownMs = ownClock()
      const refused = expectStatus(await market.get(target(text)), 503)
      expect(refused.body).toMatchObject({ code: 'GEOCODER_UNAVAILABLE', detail: { retryable: true } })
      expect(refused.headers['retry-after']).toBe('15')
      expect(await ownMs()).toBeLessThan(timeoutMs + 2_000)
      // Nothing is followed: not even to where it is allowed.
      expect(double.asked.every((one) => one.target.includes(encodeURIComponent(text).replace('%20', '+')))).toBe(true)
      double.manner = 'answers'
      expectStatus(await market.get(target(text)), 200)
    }
  })

  test('and says that it is asked too often is left alone for as long as it says', async () => {
    const market = await marketWith({ SVC_RATE_ANON_PER_MIN: '0', SVC_GEOCODER_PER_MINUTE: '1000' })
    double.manner = 'limits'
    const refused = expectStatus(await market.get(target(anew())), 503)
    expect(refused.body).toMatchObject({ code: 'GEOCODER_UNAVAILABLE', details: { retry_after_sec: 20 } })
    expect(refused.headers['retry-after']).toBe('20')
    double.manner = 'answers'
    expect(expectStatus(await market.get(target(anew())), 503).body['code']).toBe('GEOCODER_UNAVAILABLE')
    expect(double.asked).toHaveLength(1)
  })

  test.each<readonly [manner: Manner, said: string, told: number]>([
    ['rests', '20', 20],
    ['rests', '86400', 300],
    ['limits', '86400', 300],
    ['limits', 'soon', 30],
  ])('and %s, for %s, is asked again after %i seconds', async (manner, said, told) => {
    const market = await marketWith({ SVC_RATE_ANON_PER_MIN: '0', SVC_GEOCODER_PER_MINUTE: '1000' })
    Object.assign(double, { manner, retryAfter: said })
    const refused = expectStatus(await market.get(target(anew())), 503)
    expect(refused.body['details']).toEqual({ retry_after_sec: told })
    expectStatus(await market.get(target(anew())), 503)
    expect(double.asked).toHaveLength(1)
  })

  test('and says that it may be asked at once is left alone for a second', async () => {
    const market = await marketWith({ ...unhurried, SVC_RATE_ANON_PER_MIN: '0', SVC_GEOCODER_PER_MINUTE: '1000' })
    Object.assign(double, { manner: 'limits', retryAfter: '0' })
    const refused = await Promise.all(Array.from({ length: 2 }, () => market.get(target(anew()))))
    expect(refused.map(({ status }) => status)).toEqual([503, 503])
    const asked = double.asked.length
    expectStatus(await market.get(target(anew())), 503)
    expect(double.asked).toHaveLength(asked)
    double.manner = 'answers'
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expectStatus(await market.get(target(anew())), 200)
  })

  test('holds eight at once and no more', async () => {
    double.manner = 'says nothing'
    const ownMs = ownClock()
    const answers = await Promise.all(Array.from({ length: 12 }, () => live.get(target(anew()))))
    expect(answers.map(({ body }) => body['code'])).toEqual(Array.from({ length: 12 }, () => 'GEOCODER_UNAVAILABLE'))
    expect(double.asked).toHaveLength(8)
    expect(await ownMs()).toBeLessThan(timeoutMs + 2_000)
  })
})

describe('What it costs the geocoder is bounded', () => {
  test('thirty questions a minute of one address and of one wallet; what is known costs nothing', async () => {
    const market = await marketWith({ ...unhurried, SVC_GEOCODER_PER_MINUTE: '1000', SVC_RATE_ANON_PER_MIN: '1000' })
    const known = anew()
    expectStatus(await market.get(target(known)), 200)
    for (let asked = 1; asked < 30; asked += 1) expectStatus(await market.get(target(anew())), 200)
    const refused = expectStatus(await market.get(target(anew())), 429)
    expect(refused.body).toMatchObject({ code: 'RATE_LIMITED', details: { limit: 30 } })
    expectStatus(await market.get(target(known)), 200)
    expect(double.asked).toHaveLength(30)
  })

  test('thirty of one wallet, whatever address it comes from', async () => {
    // No limit of addresses applies here.
    for (let asked = 0; asked < 30; asked += 1) expectStatus(await wallet.call('GET', target(anew())), 200)
    expect(expectStatus(await wallet.call('GET', target(anew())), 429).body['details']).toMatchObject({ limit: 30 })
    expectStatus(await live.get(target(anew())), 200)
  })

  test('and as many as the operator allows for all together', async () => {
    const market = await marketWith({ ...unhurried, SVC_GEOCODER_PER_MINUTE: '2', SVC_RATE_ANON_PER_MIN: '0' })
    for (const party of [await market.party(0n), await market.party(0n)])
      expectStatus(await party.call('GET', target(anew())), 200)
    const third = expectStatus(await market.get(target(anew())), 429)
    expect(third.body).toMatchObject({ code: 'RATE_LIMITED', details: { limit: 2 } })
    expect(double.asked).toHaveLength(2)
  })
})

test('a text without three signs asks nothing', async () => {
  for (const text of ['ab', '     ', ' a  b'.slice(0, 3)])
    expect(expectStatus(await live.get(target(text)), 422).body['code']).toBe('VALIDATION_FAILED')
  expect(double.asked).toEqual([])
})

test('an address within is not asked, though it was set', async () => {
  const market = await marketWith({ SVC_GEOCODER_URL: 'https://10.0.0.7', SVC_RATE_ANON_PER_MIN: '0' })
  expect(expectStatus(await market.get(target(anew())), 503).body['code']).toBe('GEOCODER_UNAVAILABLE')
})

test('a name within is asked, by http and on any port, where the operator said that it is in a private network', async () => {
  const url = double.url.replace('127.0.0.1', 'photon.localhost')
  const market = await marketWith({ ...unhurried, SVC_GEOCODER_URL: url, SVC_GEOCODER_PRIVATE: 'true' })
  expectStatus(await market.get(target(anew())), 200)
  expect(double.asked).toHaveLength(1)
})

test('where no geocoder is named, the operation says that it is off, and so does the configuration', async () => {
  const without = stack.use(await startLiveMarket({}, rig, { withoutDuties: true }))
  expect(expectStatus(await without.get(target(anew())), 404).body['code']).toBe('FEATURE_DISABLED')
  expect((await without.get('/api/v1/config')).body['features']).toMatchObject({ places: false })
  expect((await live.get('/api/v1/config')).body['features']).toMatchObject({ places: true })
})
