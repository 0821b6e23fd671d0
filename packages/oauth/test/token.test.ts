import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  audience,
  choice,
  codeForm,
  consented,
  createBench,
  form,
  issuer,
  refreshForm,
  rules,
  signedIn,
  signer,
} from './bench.ts'

const account = `eip155:8453:${signer.address}`
const limits = { maxCents: 750n, maxCount: 3 }
const approving = choice({ scopes: [...rules.basic, rules.approve], limits })

const unreserved = 'code_verifier must be 43 to 128 unreserved characters'
const refused = (code: string, message: RegExp) => ({ code, message: expect.stringMatching(message) })

describe('a code', () => {
  test('is exchanged for a token of an hour that any verifier can read', async () => {
    const bench = createBench()
    const { clientId, answer, grantId } = await signedIn(bench)
    expect(answer).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      scope: rules.basic.join(' '),
    })
    const { keys } = await bench.server.keys.jwks()
    const { kid } = decodeProtectedHeader(answer.access_token)
    const jwk = keys.find((one) => one.kid === kid)
    expect(Object.keys(jwk ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    const { payload, protectedHeader } = await jwtVerify(answer.access_token, await importJWK(jwk ?? {}), {
      currentDate: bench.now(),
    })
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid })
    expect(payload).toEqual({
      iss: issuer,
      sub: account,
      aud: audience,
      client_id: clientId,
      scope: rules.basic.join(' '),
      gid: grantId,
      jti: expect.any(String),
      iat: 1_795_435_200,
      exp: 1_795_438_800,
    })
  })

  test('of ten at once is exchanged once, by two processes too, and everything it issued is revoked', async () => {
    const one = createBench()
    const two = createBench({ store: one.store })
    const clientId = await one.client()
    const code = await consented(one, clientId)
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_none, at) =>
        (at % 2 === 0 ? one : two).server.tokens.answer(codeForm(clientId, code)),
      ),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [grant] = one.store.grants()
    expect(one.store.whyRevoked(grant?.id ?? '')).toBe('code_reused')
  })

  test('that comes back ends the token and the refresh token it was exchanged for', async () => {
    const bench = createBench()
    const { clientId, code, answer } = await signedIn(bench)
    expect(await bench.server.live.read(answer.access_token, audience)).toBeDefined()
    const again = bench.server.tokens.answer(codeForm(clientId, code, { code_verifier: 'w'.repeat(43) }))
    await expect(again).rejects.toMatchObject(refused('invalid_grant', /used before/))
    bench.advance(1_000)
    expect(await bench.server.live.read(answer.access_token, audience)).toBeUndefined()
    const renewal = bench.server.tokens.answer(refreshForm(clientId, answer.refresh_token))
    await expect(renewal).rejects.toMatchObject(refused('invalid_grant', /revoked/))
  })

  test.each([
    [
      'another client',
      { client_id: 'another' },
      'invalid_grant',
      'the code is unknown or was issued to another client',
    ],
    [
      'another redirect',
      { redirect_uri: 'https://tool.example/other' },
      'invalid_grant',
      'redirect_uri is not the one that the code was sent to',
    ],
    [
      'another verifier',
      { code_verifier: 'w'.repeat(43) },
      'invalid_grant',
      'code_verifier does not fit the code_challenge',
    ],
    ['a verifier that is too short', { code_verifier: 'v'.repeat(42) }, 'invalid_request', unreserved],
    ['a verifier that is too long', { code_verifier: 'v'.repeat(129) }, 'invalid_request', unreserved],
    ['no verifier', { code_verifier: undefined }, 'invalid_request', /code_verifier/],
    ['no redirect', { redirect_uri: undefined }, 'invalid_request', /redirect_uri/],
    ['no client', { client_id: undefined }, 'invalid_request', /client_id/],
    ['no code', { code: undefined }, 'invalid_request', /code/],
    [
      'an unknown code',
      { code: 'x'.repeat(43) },
      'invalid_grant',
      'the code is unknown or was issued to another client',
    ],
    ['no grant type', { grant_type: undefined }, 'invalid_request', /grant_type/],
    [
      'another grant type',
      { grant_type: 'client_credentials' },
      'unsupported_grant_type',
      'grant_type must be authorization_code or refresh_token',
    ],
    ['a NUL in the code', { code: 'x\0' }, 'invalid_request', 'a parameter holds a NUL'],
    ['a foreign resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target', /resource/],
  ])('with %s is refused, and is still good afterwards', async (_what, change, error, message) => {
    const bench = createBench()
    const clientId = await bench.client()
    const code = await consented(bench, clientId)
    await expect(bench.server.tokens.answer(codeForm(clientId, code, change))).rejects.toMatchObject({
      code: error,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    })
    expect((await bench.server.tokens.answer(codeForm(clientId, code))).token_type).toBe('Bearer')
  })

  test('for two resources is refused', async () => {
    const bench = createBench()
    const clientId = await bench.client()
    const two = `${codeForm(clientId, await consented(bench, clientId))}&resource=${audience}&resource=${audience}`
    await expect(bench.server.tokens.answer(two)).rejects.toMatchObject({
      code: 'invalid_target',
      message: 'a token here is for one resource',
    })
  })

  test('in a form that gives a field twice is refused', async () => {
    const bench = createBench()
    const clientId = await bench.client()
    const twice = `${codeForm(clientId, await consented(bench, clientId))}&code=more`
    await expect(bench.server.tokens.answer(twice)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('lives for 60 seconds', async () => {
    const bench = createBench()
    const clientId = await bench.client()
    const [one, two] = [await consented(bench, clientId), await consented(bench, clientId)]
    bench.advance(59_999)
    await bench.server.tokens.answer(codeForm(clientId, one))
    bench.advance(1)
    const late = bench.server.tokens.answer(codeForm(clientId, two))
    await expect(late).rejects.toMatchObject(refused('invalid_grant', /60 seconds/))
  })

  test('whose grant was revoked meanwhile is refused as that, and not as one that comes a second time', async () => {
    const bench = createBench()
    const clientId = await bench.client()
    const code = await consented(bench, clientId)
    const [grant] = bench.store.grants()
    await bench.store.revoke(grant?.id ?? '', 'revoked_by_owner', bench.now())
    const late = bench.server.tokens.answer(codeForm(clientId, code))
    await expect(late).rejects.toMatchObject(refused('invalid_grant', /its grant was revoked$/))
  })

  test('is for a grant of 180 days', async () => {
    const bench = createBench()
    await signedIn(bench)
    expect(bench.store.grants()).toEqual([
      expect.objectContaining({ expiresAt: new Date(bench.now().getTime() + 180 * 86_400_000) }),
    ])
  })
})

describe('a refresh token', () => {
  test('is good once; the next is another', async () => {
    const bench = createBench()
    const { clientId, answer } = await signedIn(bench)
    const next = await bench.server.tokens.answer(refreshForm(clientId, answer.refresh_token))
    expect(next.refresh_token).not.toBe(answer.refresh_token)
    expect(next.scope).toBe(answer.scope)
    const third = await bench.server.tokens.answer(refreshForm(clientId, next.refresh_token, { scope: 'task:read' }))
    expect(third.scope).toBe('task:read')
    const fourth = await bench.server.tokens.answer(refreshForm(clientId, third.refresh_token))
    expect(fourth.scope).toBe(answer.scope)
  })

  test('that was rotated ends the whole family, and no other grant of the same client and wallet', async () => {
    const bench = createBench()
    const { clientId, answer, grantId } = await signedIn(bench)
    const other = await bench.server.tokens.answer(codeForm(clientId, await consented(bench, clientId)))
    const next = await bench.server.tokens.answer(refreshForm(clientId, answer.refresh_token))
    const reused = bench.server.tokens.answer(refreshForm(clientId, answer.refresh_token))
    await expect(reused).rejects.toMatchObject(refused('invalid_grant', /family is revoked, sign in again/))
    expect(bench.store.whyRevoked(grantId)).toBe('refresh_reused')
    await expect(bench.server.tokens.answer(refreshForm(clientId, next.refresh_token))).rejects.toMatchObject({
      code: 'invalid_grant',
    })
    bench.advance(1_000)
    expect(await bench.server.live.read(next.access_token, audience)).toBeUndefined()
    expect(await bench.server.live.read(other.access_token, audience)).toBeDefined()
    expect((await bench.server.tokens.answer(refreshForm(clientId, other.refresh_token))).token_type).toBe('Bearer')
  })

  test('of ten at once is exchanged once, by two processes too, and the family is revoked', async () => {
    const one = createBench()
    const two = createBench({ store: one.store })
    const { clientId, answer, grantId } = await signedIn(one)
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_none, at) =>
        (at % 2 === 0 ? one : two).server.tokens.answer(refreshForm(clientId, answer.refresh_token)),
      ),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(one.store.whyRevoked(grantId)).toBe('refresh_reused')
  })

  test.each([
    ['of another client', {}, 'another', 'invalid_grant'],
    ['for an unknown scope', { scope: 'money:all' }, undefined, 'invalid_scope'],
    ['for more than was allowed', { scope: 'task:read task:write' }, undefined, 'invalid_scope'],
    ['for a foreign resource', { resource: 'https://elsewhere.example' }, undefined, 'invalid_target'],
    ['with a NUL in the client', {}, 'x\0', 'invalid_request'],
  ])('%s is refused and is still good afterwards', async (_what, change, client, error) => {
    const bench = createBench()
    const { clientId, answer } = await signedIn(bench, choice({ scopes: ['task:read'] }))
    const wrong = bench.server.tokens.answer(refreshForm(client ?? clientId, answer.refresh_token, change))
    await expect(wrong).rejects.toMatchObject({ code: error })
    expect((await bench.server.tokens.answer(refreshForm(clientId, answer.refresh_token))).scope).toBe('task:read')
  })

  test('that was rotated and comes from another client ends nothing', async () => {
    const bench = createBench()
    const { clientId, answer, grantId } = await signedIn(bench)
    const next = await bench.server.tokens.answer(refreshForm(clientId, answer.refresh_token))
    const foreign = bench.server.tokens.answer(refreshForm('another', answer.refresh_token))
    await expect(foreign).rejects.toMatchObject(refused('invalid_grant', /issued to another client/))
    expect(bench.store.whyRevoked(grantId)).toBeNull()
    expect((await bench.server.tokens.answer(refreshForm(clientId, next.refresh_token))).token_type).toBe('Bearer')
  })

  test('is over after 30 days without use', async () => {
    const bench = createBench()
    const { clientId, answer } = await signedIn(bench)
    bench.advance(30 * 86_400_000)
    const late = bench.server.tokens.answer(refreshForm(clientId, answer.refresh_token))
    await expect(late).rejects.toMatchObject(refused('invalid_grant', /expired/))
  })
})

describe('approvals', () => {
  test('ride in a token of 15 minutes with their limits, and no refresh renews them', async () => {
    const bench = createBench()
    const { clientId, answer } = await signedIn(bench, approving)
    expect([answer.expires_in, answer.scope]).toEqual([900, [...rules.basic, rules.approve].join(' ')])
    expect(decodeJwt(answer.access_token)).toMatchObject({ approve_max_usd: '7.50', approve_max_count: 3 })
    expect(await bench.server.live.read(answer.access_token, audience)).toMatchObject({ account, limits })
    const next = await bench.server.tokens.answer(refreshForm(clientId, answer.refresh_token, { scope: answer.scope }))
    expect([next.expires_in, next.scope]).toEqual([3_600, rules.basic.join(' ')])
    expect(decodeJwt(next.access_token)).not.toHaveProperty('approve_max_usd')
    expect(await bench.server.live.read(next.access_token, audience)).toMatchObject({ limits: null })
  })

  test('are nothing that a refresh may ask for alone, and the token is still good afterwards', async () => {
    const bench = createBench()
    const { clientId, answer } = await signedIn(bench, approving)
    const alone = bench.server.tokens.answer(refreshForm(clientId, answer.refresh_token, { scope: rules.approve }))
    await expect(alone).rejects.toMatchObject({ code: 'invalid_scope' })
    expect((await bench.server.tokens.answer(refreshForm(clientId, answer.refresh_token))).expires_in).toBe(3_600)
  })

  test('alone leave nothing to renew, so no refresh token comes with them', async () => {
    const { answer } = await signedIn(createBench(), choice({ scopes: [rules.approve], limits }))
    expect(answer).not.toHaveProperty('refresh_token')
  })
})

describe('revocation', () => {
  test('of a refresh token, used or not, ends its family everywhere within a second', async () => {
    const bench = createBench()
    const elsewhere = createBench({ store: bench.store })
    const { clientId, answer } = await signedIn(bench)
    expect(await elsewhere.server.live.read(answer.access_token, audience)).toBeDefined()
    await bench.server.tokens.revoke(form({ token: answer.refresh_token, client_id: clientId }))
    elsewhere.advance(999)
    expect(await elsewhere.server.live.read(answer.access_token, audience)).toBeUndefined()
    await bench.server.tokens.revoke(form({ token: answer.refresh_token, client_id: clientId }))
  })

  test('of an access token ends its grant', async () => {
    const bench = createBench()
    const { clientId, answer, grantId } = await signedIn(bench)
    await bench.server.tokens.revoke(form({ token: answer.access_token, client_id: clientId }))
    expect(bench.store.whyRevoked(grantId)).toBe('revoked_by_client')
  })

  test('of an unknown token is no fault; of a token of another client it is', async () => {
    const bench = createBench()
    const { answer, grantId } = await signedIn(bench)
    await bench.server.tokens.revoke(form({ token: 'nonsense', client_id: 'another' }))
    const foreign = bench.server.tokens.revoke(form({ token: answer.refresh_token, client_id: 'another' }))
    await expect(foreign).rejects.toMatchObject({ code: 'invalid_grant' })
    await expect(bench.server.tokens.revoke(form({ client_id: 'a' }))).rejects.toMatchObject({
      code: 'invalid_request',
    })
    expect(bench.store.whyRevoked(grantId)).toBeNull()
  })
})
