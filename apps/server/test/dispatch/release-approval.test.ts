import { privateKeySigner, releaseApprovalTypedData, type Hex } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { createApprovalCheck, type ApprovalDeps } from '../../src/dispatch/release-approval.ts'
import { refused } from './refused.ts'

const wallet = {
  kind: 'wallet',
  wallet: '0x1111111111111111111111111111111111111111',
  agentId: 1,
  via: 'signature',
} as const

describe('an approval of a release', () => {
  const payer = privateKeySigner(`0x${'11'.repeat(32)}`)
  const now = 1_795_262_400
  const document = releaseApprovalTypedData(
    {
      taskId: 'task',
      submissionId: 'submission',
      payer: payer.address,
      token: `0x${'22'.repeat(20)}`,
      amount: 10_000_000n,
      deadline: 0,
      nonce: `0x${'00'.repeat(32)}`,
    },
    31_337,
  )
  const nonce = `0x${'aB'.repeat(32)}` as const

  function check(change: Partial<ApprovalDeps> = {}) {
    const spent: unknown[] = []
    const approve = createApprovalCheck({
      market: {
        approveChallenge: () =>
          Promise.resolve({ releaseApproval: document } as unknown as Awaited<
            ReturnType<ApprovalDeps['market']['approveChallenge']>
          >),
      }, // nothing else is read
      nonces: {
        consume: (key, expiresAt) => {
          spent.push([key, expiresAt])
          return Promise.resolve(true)
        },
      },
      contracts: { isValidSignature: () => Promise.resolve(false) },
      now: () => now * 1_000,
      ...change,
    })
    return {
      spent,
      approve: (raw: unknown) => approve(wallet, 'submission', typeof raw === 'string' ? raw : JSON.stringify(raw)),
    }
  }
  const sign = (deadline: number, signer = payer): Promise<Hex> =>
    signer.signTypedData({ ...document, message: { ...document.message, deadline: String(deadline), nonce } })
  const of = async (deadline: number, signer = payer) => ({ deadline, nonce, signature: await sign(deadline, signer) })
  const because = (reason: string) => refused('APPROVAL_INVALID', { reason })

  test.each([
    [now, null],
    [now + 900, null],
    [now - 1, 'its deadline has passed'],
    [now + 901, 'its deadline is more than 900 seconds ahead'],
  ])('with the deadline %i: %s', async (deadline, reason) => {
    const { spent, approve } = check()
    if (reason !== null) return expect(approve(await of(deadline))).rejects.toThrow(because(reason))
    await approve(await of(deadline))
    expect(spent).toEqual([[`approval:${payer.address.toLowerCase()}:${nonce.toLowerCase()}`, deadline]])
  })

  test('may give its deadline as text', async () => {
    await check().approve({ ...(await of(now)), deadline: String(now) })
  })

  test.each<[unknown, string]>([
    ['{', 'it is not JSON'],
    ['null', 'it has no deadline in unix seconds'],
    [{ nonce, signature: '0x00' }, 'it has no deadline in unix seconds'],
    [{ deadline: null, nonce, signature: '0x00' }, 'it has no deadline in unix seconds'],
    [{ deadline: [now], nonce, signature: '0x00' }, 'it has no deadline in unix seconds'],
    [{ deadline: 'soon', nonce, signature: '0x00' }, 'it has no deadline in unix seconds'],
    [{ deadline: now + 0.5, nonce, signature: '0x00' }, 'it has no deadline in unix seconds'],
    [{ deadline: now, nonce: '0x00', signature: '0x00' }, 'it has no nonce of 32 bytes'],
    [{ deadline: now, nonce, signature: '0x' }, 'it has no signature'],
    [{ deadline: now, nonce, signature: '0x0' }, 'it has no signature'],
    [{ deadline: now, nonce, signature: 1 }, 'it has no signature'],
    [{ deadline: now, nonce, signature: 'x0x00' }, 'it has no signature'],
    [{ deadline: now, nonce, signature: '0x00z' }, 'it has no signature'],
  ])('%j is refused: %s', async (raw, reason) => {
    await expect(check().approve(raw)).rejects.toThrow(because(reason))
  })

  test('of another party is refused, and the chain is asked whether a contract says yes', async () => {
    const other = privateKeySigner(`0x${'33'.repeat(32)}`)
    await expect(check().approve(await of(now, other))).rejects.toThrow(
      because('it is not signed by the payer for this submission and amount'),
    )
    const asked: unknown[] = []
    await check({
      contracts: {
        isValidSignature: (call) => {
          asked.push(call)
          return Promise.resolve(true)
        },
      },
    }).approve(await of(now, other))
    expect(asked).toMatchObject([{ chainId: 31_337, address: payer.address }])
    await expect(
      check({ contracts: { isValidSignature: () => Promise.reject(new Error('away')) } }).approve(await of(now, other)),
    ).rejects.toThrow(refused('identity_check_unavailable', {}))
  })

  test('is used once, and not at all while that cannot be told', async () => {
    await expect(check({ nonces: { consume: () => Promise.resolve(false) } }).approve(await of(now))).rejects.toThrow(
      because('it has been used'),
    )
    await expect(
      check({ nonces: { consume: () => Promise.reject(new Error('away')) } }).approve(await of(now)),
    ).rejects.toThrow(refused('nonce_store_unavailable', {}))
  })
})
