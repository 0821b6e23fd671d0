import { createSignerClient } from '@slicekit/erc8128'
import { verifyMessage } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { signRequest, verifyRequest, type SignRequestInput } from '../../src/index.ts'
import {
  aGet,
  aNonceStore,
  aPost,
  aSigned,
  authority,
  codeOf,
  getLines,
  handMade,
  key,
  keyid,
  now,
  params,
  received,
  signer,
  someContracts,
  theOptions,
} from './harness.ts'

const okay = { ok: true, chainId: 8453, address: signer.address, byKey: true }

describe('a signed request is accepted', () => {
  test('and answers the chain and the lowercase account', async () => {
    expect(await verifyRequest(await aSigned(), theOptions())).toEqual(okay)
  })

  test.each<SignRequestInput>([
    aGet,
    { ...aGet, url: `https://${authority}/api/v1/tasks?status=open&x=%20y` },
    { ...aGet, url: `https://${authority}/` },
    { ...aPost, headers: { 'X-Payment-Worker': '0xabc', 'X-Payment-Fee': '13' } },
    { ...aPost, body: 'é'.repeat(2000) },
    { ...aPost, url: `https://${authority}:443/api/v1/a%2Fb/c%20d;e=f` },
    { method: 'delete', url: `https://${authority}/api/v1/tasks/1` },
  ])('$method $url', async (request) => {
    const message = await aSigned(request)
    expect(await codeOf({ ...message, method: request.method.toUpperCase() })).toBe('ok')
  })

  test('by the independent client of the package, whatever its component order', async () => {
    const account = privateKeyToAccount(key)
    const client = createSignerClient({
      address: account.address,
      chainId: 8453,
      signMessage: (message) => account.signMessage({ message: { raw: message } }),
    })
    for (const request of [aPost, aGet, { ...aGet, url: `https://${authority}/api/v1/tasks?limit=5&cursor=a%2Bb` }]) {
      const signed = await client.signRequest(
        new Request(request.url, { method: request.method, ...(request.body ? { body: request.body as string } : {}) }),
        { created: now, expires: now + 60 },
      )
      expect(await verifyRequest(received(request, Object.fromEntries(signed.headers)), theOptions())).toEqual(okay)
    }
  })

  test('and what is signed here verifies with viem', async () => {
    const headers = await signRequest(aGet, { signer, chainId: 8453, now, nonce: 'abc' })
    const input = headers['signature-input']?.slice(4) ?? ''
    const message = [...getLines.map(([name, value]) => `"${name}": ${value}`), `"@signature-params": ${input}`].join(
      '\n',
    )
    const signature = `0x${Buffer.from(headers['signature']?.slice(5, -1) ?? '', 'base64').toString('hex')}` as const
    expect(await verifyMessage({ address: signer.address, message, signature })).toBe(true)
  })

  test.each([
    ['the order of the package', getLines],
    ['the other order', [getLines[1], getLines[0], getLines[2]]],
    ['the last order', [getLines[2], getLines[1], getLines[0]]],
    ['more than is required', [...getLines, ['accept', 'a, b']]],
    ['@query without a query, as a lone question mark', [...getLines, ['@query', '?']]],
  ] as const)('with %s', async (_, lines) => {
    expect(
      await codeOf(
        await handMade({
          lines,
          headers: [
            ['Accept', ' a'],
            ['aCCEPT', 'b\t '],
          ],
        }),
      ),
    ).toBe('ok')
  })

  test.each([
    ['alg absent', params],
    ['alg eip191', `${params};alg="eip191"`],
    ['alg first', `;alg="eip191"${params}`],
    ['nonce of 128 characters', params.replace('"n1"', `"${'x'.repeat(128)}"`)],
    ['a nonce with quotes and colons', params.replace('"n1"', '"a\\"b\\\\c:d"')],
    ['an uppercase address in the keyid', params.replace(signer.address, `0x${signer.address.slice(2).toUpperCase()}`)],
    ['the longest window', params.replace(`expires=${now + 60}`, `expires=${now + 300}`)],
    ['created at the edge of the skew ahead', `;created=${now + 30};expires=${now + 90};nonce="n";keyid="${keyid}"`],
    ['expires at the edge of the skew behind', `;created=${now - 60};expires=${now - 30};nonce="n";keyid="${keyid}"`],
  ])('with %s', async (_, text) => {
    expect(await codeOf(await handMade({ params: text }))).toBe('ok')
  })

  test.each(['eth', 'sig1', 'a*', '*', 'erc8128.x-y_z'])('under the label %s', async (label) => {
    expect(await codeOf(await handMade({ label }))).toBe('ok')
  })

  test('spaces inside the list on the wire do not change what was signed', async () => {
    const wire = `(  "@method"  "@authority" "@path" )${params.replaceAll(';', '; ')}`
    expect(await codeOf(await handMade({ wire }))).toBe('ok')
  })

  test('beside foreign signatures before and after it', async () => {
    const message = await handMade()
    const foreign = (label: string) =>
      `${label}=("@method";req "@query-param";name="x" "date");created=1;keyid="test-key";n=1.5;b;c=?0;d=:AQ==:;t=a/b`
    const headers = message.headers.map(([name, value]): readonly [string, string] => {
      if (name === 'Signature-Input') return [name, `${foreign('first')}, ${value} ,\t${foreign('last')}`]
      return name === 'Signature' ? [name, `first=:AQ==:, ${value}, last=:Ag==:`] : [name, value]
    })
    expect(await codeOf({ ...message, headers })).toBe('ok')
  })

  test.each(['api.example.com', 'API.Example.COM', 'api.example.com:443', 'api.example.com:80', ' api.example.com\t'])(
    'when Host is %j',
    async (host) => {
      const message = await handMade()
      expect(
        await codeOf({ ...message, headers: message.headers.map(([n, v]) => [n, n === 'Host' ? host : v] as const) }),
      ).toBe('ok')
    },
  )

  test('for an authority with a port and for IPv6', async () => {
    for (const url of ['http://127.0.0.1:4020/x', 'http://[::1]:4020/x']) {
      const policy = { ...theOptions().policy, authorities: ['127.0.0.1:4020', '[::1]:4020'] }
      expect(await codeOf(await aSigned({ method: 'GET', url }), theOptions({ policy }))).toBe('ok')
    }
  })

  test('with a Content-Digest on an empty body, which is checked too', async () => {
    const empty = ['Content-Digest', 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:'] as const
    expect(await codeOf(await handMade({ headers: [empty] }))).toBe('ok')
    expect(await codeOf(await handMade({ headers: [[empty[0], empty[1].replace('47', '48')]] }))).toBe(
      'digest_mismatch',
    )
  })

  test('with a clock that has fractions', async () => {
    expect(await codeOf(await handMade(), theOptions({ now: now + 89.999 }))).toBe('ok')
    expect(await codeOf(await handMade(), theOptions({ now: now + 90.001 }))).toBe('expired')
  })
})

describe('a contract wallet', () => {
  const wallet = `0x${'c0'.repeat(20)}`
  const walletParams = params.replace(signer.address, wallet)

  test('is asked on its own chain with the digest, after the key has not matched', async () => {
    const contracts = someContracts((call) => call.address === wallet && call.chainId === 8453)
    const message = await handMade({ params: walletParams })
    expect(await verifyRequest(message, theOptions({ contracts }))).toEqual({
      ok: true,
      chainId: 8453,
      address: wallet,
      byKey: false,
    })
    expect(contracts.calls).toHaveLength(1)
    expect(contracts.calls[0]?.hash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(contracts.calls[0]?.signature).toMatch(/^0x[0-9a-f]{130}$/)
  })

  test.each([1, 64, 66, 130, 2000])('may sign with %i bytes', async (length) => {
    const contracts = someContracts(() => true)
    const bytes = Buffer.alloc(length, 9).toString('base64')
    const message = await handMade({ params: walletParams })
    const headers = message.headers.map(([n, v]) => [n, n === 'Signature' ? `eth=:${bytes}:` : v] as const)
    expect(await codeOf({ ...message, headers }, theOptions({ contracts }))).toBe('ok')
  })

  test('is not asked for a valid key signature, nor for a request that fails a free check', async () => {
    const contracts = someContracts(() => true)
    expect(await codeOf(await handMade(), theOptions({ contracts }))).toBe('ok')
    for (const bad of [
      walletParams.replace('8453', '1'),
      walletParams.replace(`expires=${now + 60}`, `expires=${now + 999}`),
      walletParams.replace('nonce="n1";', ''),
    ]) {
      expect(await codeOf(await handMade({ params: bad }), theOptions({ contracts }))).not.toBe('ok')
    }
    expect(contracts.calls).toHaveLength(0)
  })

  test('that says no is 401, that cannot be asked is 503 and burns no nonce', async () => {
    const nonces = aNonceStore()
    const message = await handMade({ params: walletParams })
    const down = { isValidSignature: () => Promise.reject(new Error('connection refused to 10.0.0.1')) }
    const unavailable = await verifyRequest(message, theOptions({ nonces, contracts: down }))
    expect(unavailable).toMatchObject({ ok: false, status: 503, code: 'identity_check_unavailable' })
    expect(JSON.stringify(unavailable)).not.toContain('10.0.0.1')
    expect(await verifyRequest(message, theOptions({ nonces }))).toMatchObject({ status: 401, code: 'bad_signature' })
    expect(nonces.kept.size).toBe(0)
    expect(await codeOf(message, theOptions({ nonces, contracts: someContracts(() => true) }))).toBe('ok')
  })
})

describe('a nonce', () => {
  test('raced ten times gives one success', async () => {
    const options = theOptions()
    const message = await handMade()
    const codes = await Promise.all(Array.from({ length: 10 }, () => codeOf(message, options)))
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1)
    expect(codes.filter((code) => code === 'replay')).toHaveLength(9)
  })

  test('is one whatever the case of the keyid, and is kept through the skew', async () => {
    const nonces = aNonceStore()
    expect(await codeOf(await handMade(), theOptions({ nonces }))).toBe('ok')
    expect([...nonces.kept]).toEqual([[`8453:${signer.address}:n1`, now + 90]])
    const upper = params.replace(signer.address, `0x${signer.address.slice(2).toUpperCase()}`)
    expect(await codeOf(await handMade({ params: upper }), theOptions({ nonces }))).toBe('replay')
    for (const at of [now + 61, now + 90])
      expect(await codeOf(await handMade(), theOptions({ nonces, now: at }))).toBe('replay')
    expect(await codeOf(await handMade({ params: params.replace('8453', '31337') }), theOptions({ nonces }))).toBe('ok')
  })

  test('is not burnt by a forged request', async () => {
    const nonces = aNonceStore()
    const good = await handMade()
    const forged = {
      ...good,
      headers: good.headers.map(([n, v]) => [n, n === 'Signature' ? v.replace(/:./, ':A') : v] as const),
    }
    expect(await codeOf(forged, theOptions({ nonces }))).not.toBe('ok')
    expect(await codeOf({ ...good, target: '/other' }, theOptions({ nonces }))).toBe('bad_signature')
    expect(nonces.kept.size).toBe(0)
    expect(await codeOf(good, theOptions({ nonces }))).toBe('ok')
  })

  test('store that throws is 503, so that the same request can be sent again', async () => {
    const nonces = { consume: () => Promise.reject(new Error('down')) }
    const message = await handMade()
    expect(await verifyRequest(message, theOptions({ nonces }))).toMatchObject({
      ok: false,
      status: 503,
      code: 'nonce_store_unavailable',
    })
    expect(await codeOf(message)).toBe('ok')
  })
})
