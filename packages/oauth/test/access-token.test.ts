import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { createSigningKeys } from '../src/signing-keys.ts'
import { audience, createBench, signedIn, signer } from './bench.ts'

const account = `eip155:8453:${signer.address}`

describe('a token at the gate', () => {
  test('is read once and its grant asked for at most twice a second', async () => {
    let asked = 0
    const bench = createBench({
      wrap: (store) => ({
        ...store,
        isLive: (id, now) => {
          asked += 1
          return store.isLive(id, now)
        },
      }),
    })
    const { answer } = await signedIn(bench)
    for (let call = 0; call < 100; call += 1) {
      expect(await bench.server.live.read(answer.access_token, audience)).toBeDefined()
      bench.advance(10)
    }
    expect(asked).toBe(2)
  })

  test('whose grant could not be asked for is not judged by that failure', async () => {
    let isDown = true
    const bench = createBench({
      wrap: (store) => ({
        ...store,
        isLive: (id, now) => (isDown ? Promise.reject(new Error('no database')) : store.isLive(id, now)),
      }),
    })
    const { answer } = await signedIn(bench)
    await expect(bench.server.live.read(answer.access_token, audience)).rejects.toThrow('no database')
    isDown = false
    expect(await bench.server.live.read(answer.access_token, audience)).toBeDefined()
  })

  test('is good for its audience alone, and until its time is over', async () => {
    const bench = createBench()
    const { answer } = await signedIn(bench)
    expect(await bench.server.live.read(answer.access_token, 'https://mcp.market.example')).toBeUndefined()
    expect(await bench.server.live.read(answer.access_token, audience)).toBeDefined()
    expect(await bench.server.live.read(answer.access_token, 'https://mcp.market.example')).toBeUndefined()
    bench.advance(3_600_000)
    expect(await bench.server.live.read(answer.access_token, audience)).toBeUndefined()
  })

  test('that is forged, of another kind or of no shape is none', async () => {
    const bench = createBench()
    const { answer } = await signedIn(bench)
    const [header = '', payload = '', signature = ''] = answer.access_token.split('.')
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
    const wider = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('task:read', 'all')).toString(
      'base64url',
    )
    for (const token of ['', 'x', 'a.b.c', `${none}.${payload}.`, `${header}.${wider}.${signature}`, 'x'.repeat(9_000)])
      expect(await bench.server.live.read(token, audience)).toBeUndefined()
  })
})

describe('a text signed by the key of the tokens', () => {
  const read = async (change: Readonly<Record<string, unknown>>, typ = 'at+jwt') => {
    const bench = createBench()
    const { answer } = await signedIn(bench)
    const keys = createSigningKeys({ root: new Uint8Array(32).fill(1), store: bench.store, now: bench.now })
    const { kid, key } = await keys.current()
    const signed = await new SignJWT({ ...decodeJwt(answer.access_token), ...change })
      .setProtectedHeader({ alg: 'ES256', typ, kid })
      .sign(key)
    return bench.server.live.read(signed, audience)
  }

  test('with what a token says is a token', async () => {
    expect(await read({})).toMatchObject({ account })
  })

  test.each([
    ['of another kind', {}, 'JWT'],
    ['of another issuer', { iss: 'https://elsewhere.example' }, undefined],
    ['for another audience', { aud: 'https://elsewhere.example/mcp' }, undefined],
    ['without a grant', { gid: undefined }, undefined],
    ['without an end', { exp: undefined }, undefined],
  ])('%s is none', async (_what, change, typ) => {
    expect(await read(change, typ)).toBeUndefined()
  })
})

describe('signing keys', () => {
  test('overlap: the next is shown before it signs, the last until its tokens are over', async () => {
    const bench = createBench()
    const { answer: before } = await signedIn(bench)
    const at = bench.now().getTime()
    bench.store.epochs[0] = { epoch: 1, signsFrom: new Date(0), shownUntil: new Date(at + 7_200_000) }
    bench.store.epochs.push({ epoch: 2, signsFrom: new Date(at + 600_000), shownUntil: null })
    bench.advance(31_000)
    const shown = async () => (await bench.server.keys.jwks()).keys.map(({ kid }) => kid)
    const [first, second] = await shown()
    expect((await signedIn(bench)).answer).toSatisfy(
      ({ access_token }: typeof before) => decodeProtectedHeader(access_token).kid === first,
    )
    bench.advance(600_000)
    const { answer: after } = await signedIn(bench)
    expect(decodeProtectedHeader(after.access_token).kid).toBe(second)
    expect(await bench.server.live.read(before.access_token, audience)).toBeDefined()
    bench.advance(7_200_000)
    expect(await shown()).toEqual([second])
  })

  test('are the same in every process, and a new one is known as soon as it is met', async () => {
    const [one, two, shared] = [createBench(), createBench(), createBench()]
    expect(await one.server.keys.jwks()).toEqual(await two.server.keys.jwks())
    const other = createBench({ store: shared.store })
    await other.server.keys.jwks()
    shared.store.epochs.push({ epoch: 2, signsFrom: new Date(0), shownUntil: null })
    const { answer } = await signedIn(shared)
    other.advance(2_000)
    expect(await other.server.live.read(answer.access_token, audience)).toBeDefined()
  })
})
