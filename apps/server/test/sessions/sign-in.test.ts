import { randomBytes } from 'node:crypto'
import { MarketError } from '@ergon/core'
import { parseSignInMessage, privateKeySigner, type Hex } from '@ergon/protocols'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSignIn, type SignIn, type SignInDeps } from '../../src/sessions/sign-in.ts'

const signer = privateKeySigner(`0x${'42'.repeat(32)}`)
const site = { domain: 'market.example', uri: 'https://market.example' }

function createRig(change: Partial<SignInDeps> = {}): SignIn {
  const used = new Set<string>()
  return createSignIn({
    key: randomBytes(32),
    nonces: {
      consume: (nonce) => {
        const isNew = !used.has(nonce)
        used.add(nonce)
        return Promise.resolve(isNew)
      },
    },
    contracts: { isValidSignature: () => Promise.resolve(false) },
    mayAskContract: () => true,
    now: () => new Date(),
    ...change,
  })
}

const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'signed in',
    (error: unknown) => (error instanceof MarketError ? error.code : error),
  )
const challenge = (signIn: SignIn, wallet: string = signer.address): string =>
  signIn.challenge(wallet, 31_337, site).message

describe('a sign-in text (EIP-4361)', () => {
  test('reads back as what was asked, and lives ten minutes', () => {
    const issued = new Date('2026-11-21T12:00:00.000Z')
    const { message, nonce, expiresAt } = createRig({ now: () => issued }).challenge(signer.address, 8_453, site)
    expect(parseSignInMessage(message)).toMatchObject({
      ...site,
      address: signer.address,
      chainId: 8_453,
      nonce,
      issuedAt: issued.toISOString(),
      expirationTime: '2026-11-21T12:10:00.000Z',
    })
    expect(expiresAt.toISOString()).toBe('2026-11-21T12:10:00.000Z')
  })

  test('cannot be changed in any one character, though the wallet signs the change', async () => {
    const signIn = createRig()
    const message = challenge(signIn)
    await fc.assert(
      fc.asyncProperty(
        fc.nat(message.length - 1),
        fc.constantFrom('a', '0', 'F', '\n', ' ', ':'),
        async (at, letter) => {
          const changed = message.slice(0, at) + letter + message.slice(at + 1)
          fc.pre(changed !== message)
          expect(await codeOf(signIn.prove(changed, await signer.signMessage(changed), 'ip'))).toBe('SIGN_IN_REFUSED')
        },
      ),
    )
    expect(await codeOf(signIn.prove(message, await signer.signMessage(message), 'ip'))).toBe('signed in')
  })

  test('of another service, whose key is another, is not ours', async () => {
    const message = challenge(createRig())
    expect(await codeOf(createRig().prove(message, await signer.signMessage(message), 'ip'))).toBe('SIGN_IN_REFUSED')
  })
})

describe('a wallet that is a contract signs in by its own word (ERC-1271)', () => {
  const contract = '0x00000000000000000000000000000000000a0001'
  const blob: Hex = `0x${'ab'.repeat(200)}`

  test.each([
    [true, 'signed in'],
    [false, 'SIGN_IN_REFUSED'],
  ] as const)('when it says %s', async (word, expected) => {
    const asked: unknown[] = []
    const signIn = createRig({
      contracts: {
        isValidSignature: (call) => {
          asked.push(call)
          return Promise.resolve(word)
        },
      },
    })
    expect(await codeOf(signIn.prove(challenge(signIn, contract), blob, 'ip'))).toBe(expected)
    expect(asked).toEqual([
      {
        chainId: 31_337,
        address: contract,
        hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
        signature: blob,
      },
    ])
  })

  test('is asked within the budget of whoever asks, and only for texts of ours', async () => {
    const ips: string[] = []
    const signIn = createRig({
      mayAskContract: (ip) => {
        ips.push(ip)
        return false
      },
    })
    expect(await codeOf(signIn.prove(challenge(signIn, contract), blob, '203.0.113.9'))).toBe('RATE_LIMITED')
    expect(await codeOf(signIn.prove(challenge(createRig(), contract), blob, '203.0.113.9'))).toBe('SIGN_IN_REFUSED')
    expect(ips).toEqual(['203.0.113.9'])
  })
})

test('a replay guard that cannot be asked opens nothing and says so', async () => {
  const signIn = createRig({ nonces: { consume: () => Promise.reject(new Error('down')) } })
  const message = challenge(signIn)
  expect(await codeOf(signIn.prove(message, await signer.signMessage(message), 'ip'))).toBe('nonce_store_unavailable')
})
