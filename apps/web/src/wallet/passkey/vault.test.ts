import {
  addressOf,
  bytesToHex,
  disputeRulingTypedData,
  hashMessage,
  hashTypedData,
  hexToBytes,
  networks,
  receiveWithAuthorizationTypedData,
  recoverAddress,
  settlementOfferTypedData,
  type TypedData,
} from '@ergon/protocols'
import { expect, test, vi } from 'vitest'
import { readKeyFile } from './key-file.ts'
import { PasskeyFault } from './faults.ts'
import type { SealedWallet } from './sealed-wallet.ts'
import { idleMs } from './unlocking.ts'
import { SheetClosed } from './wallet-sheet.ts'
import { busy, createVault, type Vault, type VaultDeps } from './vault.ts'

const passphrase = 'four words are enough'
const { localnet } = networks

function stage(over: Partial<VaultDeps> = {}) {
  const kept = new Map<string, SealedWallet>()
  const secret = { value: new Uint8Array(32).fill(7) }
  const clock = { now: 1_000_000_000_000 }
  const given: Uint8Array[] = []
  const ask = vi.fn<VaultDeps['sheet']['ask']>(() => Promise.resolve(passphrase))
  const vault = createVault({
    store: {
      read: (address) => {
        const wallet = kept.get(address)
        return wallet === undefined ? Promise.reject(new PasskeyFault('lostStore')) : Promise.resolve(wallet)
      },
      keep: (wallet) => {
        kept.set(wallet.address, wallet)
        return Promise.resolve()
      },
      forget: (address) => {
        kept.delete(address)
        return Promise.resolve()
      },
    },
    passkeys: {
      create: () => Promise.resolve({ credentialId: new Uint8Array(16).fill(1) }),
      valueOf: () => {
        const value = secret.value.slice()
        given.push(value)
        return Promise.resolve(value)
      },
    },
    sheet: { ask },
    host: 'market.test',
    now: () => clock.now,
    alone: (act) => act(),
    ...over,
  })
  return { vault, kept, secret, clock, ask, given }
}

const paying = (from: string, usd: number, payer = from): TypedData =>
  receiveWithAuthorizationTypedData(
    {
      name: 'USD Coin',
      version: '2',
      chainId: localnet.chainId ?? 0,
      verifyingContract: (localnet.tokens['USDC']?.address ?? '') as `0x${string}`,
    },
    {
      from: payer as `0x${string}`,
      to: `0x${'ab'.repeat(20)}`,
      value: BigInt(usd * 1_000_000),
      validAfter: 0n,
      validBefore: 2_000_000_000n,
      nonce: `0x${'01'.repeat(32)}`,
    },
  )

const faultOf = async (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => 'none',
    (error: unknown) => (error instanceof PasskeyFault ? error.fault : String(error)),
  )
const make = (vault: Vault) => vault.make('Marta', { kind: 'passkey' })

test('what a sealed wallet signs is its own, texts and documents alike, and the value of the passkey is wiped', async () => {
  const { vault, given } = stage()
  const { address } = await make(vault)
  const text = await vault.signText(address, 'hello', true)
  expect(recoverAddress(hashMessage('hello'), hexToBytes(text))).toBe(address)
  const document = paying(address, 5)
  const signed = await vault.signDocument(address, document, true)
  expect(recoverAddress(hashTypedData(document), hexToBytes(signed))).toBe(address)
  expect(given.length).toBe(3)
  for (const value of given) expect(value).toEqual(new Uint8Array(32))
})

test('nothing that the browser keeps holds the key or opens without the passkey', async () => {
  const { vault, kept, secret } = stage()
  const wallet = await make(vault)
  const key = await vault.reveal(wallet.address)
  expect(addressOf(hexToBytes(key))).toBe(wallet.address)
  const { box, lock } = kept.get(wallet.address) ?? wallet
  for (const bytes of [box.iv, box.bytes, lock.salt, lock.sealed.iv, lock.sealed.bytes])
    expect(bytesToHex(bytes)).not.toContain(key.slice(2))
  secret.value = new Uint8Array(32).fill(8)
  expect(await faultOf(vault.signText(wallet.address, 'hello', true))).toBe('wrongKey')
})

test('a page that signs without having explained it meets the sheet of the wallet, with what is really signed', async () => {
  const { vault, ask } = stage()
  const { address } = await make(vault)
  ask.mockRejectedValueOnce(new SheetClosed('refused'))
  expect(await faultOf(vault.signDocument(address, paying(address, 5), false))).toBe('refused')
  expect(ask.mock.calls[0]?.[0].deed).toMatchObject({ kind: 'pays', atomic: 5_000_000n, payee: `0x${'ab'.repeat(20)}` })
})

test('limits hold for a payment and for 24 hours, and are counted before the signature is given away', async () => {
  const { vault, clock, ask } = stage()
  const { address } = await make(vault)
  const pay = (usd: number): Promise<string> => faultOf(vault.signDocument(address, paying(address, usd), true))
  expect(await pay(100.01)).toBe('perPayment')
  expect([await pay(100), await pay(99), await pay(2)]).toEqual(['none', 'none', 'perDay'])
  // A clock that is set back opens no second day.
  clock.now -= 86_400_000 * 3
  expect(await pay(2)).toBe('perDay')
  clock.now += 86_400_000 * 4 + 1
  expect(await pay(2)).toBe('none')
  await vault.setLimits(address, { perPaymentAtomic: '1000000', perDayAtomic: '200000000' })
  expect([await pay(2), await pay(1)]).toEqual(['perPayment', 'none'])
  expect(ask).not.toHaveBeenCalled()
})

test('who changes limits or what was spent in the store locks the wallet instead', async () => {
  const { vault, kept } = stage()
  const wallet = await make(vault)
  await vault.signDocument(wallet.address, paying(wallet.address, 90), true)
  const now = kept.get(wallet.address) ?? wallet
  for (const change of [
    { limits: { perPaymentAtomic: '900000000000', perDayAtomic: '900000000000' } },
    { spent: [] },
    { address: `0x${'cd'.repeat(20)}` as const },
  ]) {
    kept.set(wallet.address, { ...now, ...change })
    expect(['changed', 'wrongKey']).toContain(await faultOf(vault.signText(wallet.address, 'hello', true)))
  }
})

test.each([
  ['another payer', (a: string) => paying(a, 1, `0x${'cd'.repeat(20)}`), 'notYours'],
  [
    'a token nobody knows',
    (a: string) => ({ ...paying(a, 1), domain: { ...paying(a, 1).domain, verifyingContract: `0x${'ee'.repeat(20)}` } }),
    'token',
  ],
  [
    'a permit',
    (a: string) => ({
      ...paying(a, 1),
      primaryType: 'Permit',
      types: { Permit: [{ name: 'value', type: 'uint256' }] },
      message: { value: '1' },
    }),
    'unreadable',
  ],
  ['a standing order for every payment', (a: string) => standing(a, { payment: `0x${'00'.repeat(32)}` }), 'unreadable'],
  ['a standing order for two payments', (a: string) => standing(a, { maxCount: '2' }), 'unreadable'],
  ['a standing order of another payer', (a: string) => standing(a, { payer: `0x${'cd'.repeat(20)}` }), 'notYours'],
] as const)('a document with %s is not signed and nobody is asked', async (_name, documentOf, fault) => {
  const { vault, ask, given } = stage()
  const { address } = await make(vault)
  const used = given.length
  expect(await faultOf(vault.signDocument(address, documentOf(address) as TypedData, true))).toBe(fault)
  expect([ask.mock.calls.length, given.length]).toEqual([0, used])
})

/** A payer's word that its one payment may be released (decision 0124). */
function standing(payer: string, changed: object = {}): TypedData {
  const { domain } = paying(payer, 1)
  const message = {
    ...{ payer, maxTotal: '1000000', maxCount: '1', notBefore: '1', notAfter: '2', payment: `0x${'11'.repeat(32)}` },
    ...changed,
  }
  const types = { StandingOrder: [{ name: 'payer', type: 'address' }] }
  return { domain, types, primaryType: 'StandingOrder', message }
}

test('a standing order for one payment is signed, and counts no second time', async () => {
  const { vault, kept } = stage()
  const { address } = await make(vault)
  await vault.signDocument(address, standing(address), true)
  expect(kept.get(address)?.spent).toEqual([])
})

const stranger = `0x${'cd'.repeat(20)}` as const
/** How two sides divide two dollars (decision 0167). */
const offer = (payer: string, worker: string, changed: object = {}): TypedData =>
  settlementOfferTypedData(
    {
      taskId: 'a task',
      payment: `0x${'11'.repeat(32)}`,
      payer: payer as `0x${string}`,
      worker: worker as `0x${string}`,
      token: (localnet.tokens['USDC']?.address ?? '') as `0x${string}`,
      workerAmount: 1_500_000n,
      payerAmount: 500_000n,
      expiry: 2_000_000_000,
      nonce: `0x${'22'.repeat(32)}`,
      ...changed,
    },
    localnet.chainId ?? 0,
  )
const rulingOf = (arbiter: string, verdict: string, payerPct: number): TypedData =>
  disputeRulingTypedData(
    {
      disputeId: 'a dispute',
      taskId: 'a task',
      arbiter: arbiter as `0x${string}`,
      verdict,
      payerPct,
      reason: 'Two of three.',
      criteria: ['three gates'],
      deadline: 2_000_000_000,
      nonce: `0x${'33'.repeat(32)}`,
    },
    localnet.chainId ?? 0,
  )

test.each([
  ['an offer as its payer', (a: string) => offer(a, stranger), { kind: 'divides', toWorker: 1_500_000n }],
  ['an offer as its worker', (a: string) => offer(stranger, a), { kind: 'divides', toPayer: 500_000n, worker: 'own' }],
  ['a ruling for the worker', (a: string) => rulingOf(a, 'release', 0), { kind: 'rulesAll', for: 'worker' }],
  ['a ruling for the publisher', (a: string) => rulingOf(a, 'refund', 100), { kind: 'rulesAll', for: 'payer' }],
  ['a ruling that divides', (a: string) => rulingOf(a, 'split', 40), { kind: 'rulesSplit', payerPct: 40 }],
] as const)('%s is signed, said in words, and counts against no limit', async (_name, documentOf, words) => {
  const { vault, ask, kept } = stage()
  const { address } = await make(vault)
  const document = documentOf(address)
  const signed = await vault.signDocument(address, document, false)
  expect(recoverAddress(hashTypedData(document), hexToBytes(signed))).toBe(address)
  const said = 'worker' in words ? { ...words, worker: address } : words
  expect(ask.mock.calls[0]?.[0].deed).toMatchObject(said)
  expect(kept.get(address)?.spent).toEqual([])
})

test.each([
  ['an offer between others', () => offer(stranger, `0x${'ce'.repeat(20)}`), 'notYours'],
  ['an offer in a token nobody knows', (a: string) => offer(a, stranger, { token: stranger }), 'token'],
  ['a ruling in the name of another', () => rulingOf(stranger, 'release', 0), 'notYours'],
  ['a ruling whose share is not its verdict', (a: string) => rulingOf(a, 'release', 100), 'unreadable'],
  ['a ruling of another word', (a: string) => rulingOf(a, 'void', 0), 'unreadable'],
] as const)('%s is not signed and nobody is asked', async (_name, documentOf, fault) => {
  const { vault, ask } = stage()
  const { address } = await make(vault)
  expect(await faultOf(vault.signDocument(address, documentOf(address), true))).toBe(fault)
  expect(ask).not.toHaveBeenCalled()
})

test('a sign-in to another site is refused', async () => {
  const { vault } = stage()
  const { address } = await make(vault)
  const text = (domain: string): string =>
    [
      `${domain} wants you to sign in with your Ethereum account:`,
      '0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9',
      '',
      '',
      `URI: https://${domain}`,
      'Version: 1',
      'Chain ID: 31337',
      'Nonce: abcdefgh1234',
      'Issued At: 2026-11-25T20:00:00Z',
    ].join('\n')
  expect(await faultOf(vault.signText(address, text('evil.test'), true))).toBe('otherSite')
  expect(await faultOf(vault.signText(address, text('market.test'), true))).toBe('none')
})

test('a passphrase opens until the wallet is idle, a wrong one asks again, and the key asks always', async () => {
  const { vault, ask, clock } = stage()
  const { address } = await vault.make('Marta', { kind: 'passphrase', passphrase })
  ask.mockResolvedValueOnce('another phrase altogether')
  await vault.signText(address, 'one', true)
  expect(ask.mock.calls.map(([one]) => one.isWrong)).toEqual([false, true])
  await vault.signText(address, 'two', true)
  expect(ask).toHaveBeenCalledTimes(2)
  // Unlocked is not silent: without an explanation the sheet is shown.
  await vault.signText(address, 'three', false)
  expect(ask.mock.calls[2]?.[0]).toMatchObject({ needsPassphrase: false, exact: 'three' })
  await vault.reveal(address)
  expect(ask.mock.calls[3]?.[0]).toMatchObject({ needsPassphrase: true })
  clock.now += idleMs
  await vault.signText(address, 'four', true)
  expect(ask.mock.calls[4]?.[0]).toMatchObject({ needsPassphrase: true })
  vault.lock()
  await vault.signText(address, 'five', true)
  expect(ask).toHaveBeenCalledTimes(6)
  expect(await faultOf(vault.make('Marta', { kind: 'passphrase', passphrase: 'short' }))).toBe('weakPassphrase')
}, 180_000)

test('a key file brings the same wallet to another device, by its passphrase alone', async () => {
  const { vault } = stage()
  const { address } = await make(vault)
  const file = await vault.keyFile(address, passphrase)
  expect(file).not.toContain((await vault.reveal(address)).slice(2))
  const other = stage()
  expect(await faultOf(readKeyFile(file, 'another phrase altogether'))).toBe('wrongPassphrase')
  const brought = await other.vault.bring('Marta', await readKeyFile(file, passphrase), { kind: 'passkey' })
  expect(brought.address).toBe(address)
  const signed = await other.vault.signText(address, 'here', true)
  expect(recoverAddress(hashMessage('here'), hexToBytes(signed))).toBe(address)
}, 180_000)

test('files that are none, or would stop the device, are refused before any work', async () => {
  for (const text of ['', '{}', '[]', 'null', '{"version":3,"crypto":{}}', 'x'.repeat(20_000)])
    expect(await faultOf(readKeyFile(text, passphrase))).toBe('fileOdd')
  const heavy = {
    version: 3,
    Crypto: {
      kdf: 'scrypt',
      cipher: 'aes-128-ctr',
      ciphertext: '00'.repeat(32),
      mac: '00'.repeat(32),
      cipherparams: { iv: '00'.repeat(16) },
      kdfparams: { dklen: 32, n: 2 ** 30, r: 8, p: 1, salt: '00' },
    },
  }
  expect(await faultOf(readKeyFile(JSON.stringify(heavy), passphrase))).toBe('fileHeavy')
})

test('a wallet that asks in another tab, and one that is gone, each say so', async () => {
  const { vault } = stage()
  const { address } = await make(vault)
  await vault.forget(address)
  expect(await faultOf(vault.signText(address, 'hello', true))).toBe('lostStore')
  expect(await faultOf(make(stage({ alone: () => Promise.resolve(busy) }).vault))).toBe('otherTab')
})
