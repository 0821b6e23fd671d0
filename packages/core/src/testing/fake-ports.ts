import { saltOf } from '@ergon/contract/facts'
import { MarketError } from '../errors.ts'
import { directNonceOf } from '../escrow/direct-nonce.ts'
import { askedUntil } from '../policy/policy.ts'
import type { EscrowTerms, DirectTerms, PaymentSignatures } from '../ports/signatures.ts'
import type { IdentityRegistry } from '../ports/identity-registry.ts'
import type { RatingRelay, RatingTerms } from '../ports/rating-relay.ts'
import type { Clock, EvidenceStorage, Ids } from '../ports/surroundings.ts'
import type { Uploads } from '../ports/uploads.ts'
import type { EvidenceInspector } from '../ports/verification.ts'

/** A clock that moves only when told. */
export type TestClock = Clock & { advance(ms: number): void }

export function createTestClock(start: Date): TestClock {
  let now = start.getTime()
  return {
    now: () => new Date(now),
    advance(ms) {
      now += ms
    },
  }
}

/** Ids in UUIDv7 form that count up; `seed` keeps two sources apart. */
export function createTestIds(seed: number): Ids {
  let count = 0
  return {
    next() {
      count += 1
      const tail = (BigInt(seed) * 1_000_000n + BigInt(count)).toString(16).padStart(20, '0')
      return `01950000-${tail.slice(0, 4)}-7000-8${tail.slice(4, 7)}-${tail.slice(8).padStart(12, '0')}`
    },
  }
}

/** Signatures that say in plain JSON what they sign; the real ones are proven in the protocols and adapters. */
export function createPlainSignatures(nextNonce: () => string): PaymentSignatures {
  const expiresAt = (now: Date): Date => new Date(now.getTime() + 3_600_000)
  const amounts = new Map<string, bigint>()
  return {
    escrowChallenge: (terms, now) => ({
      typedData: {},
      envelope: plainEscrow(terms, nextNonce()),
      expiresAt: expiresAt(now),
      collector: 'collector',
      token: 'token',
      boundUntil: new Date(plainExpiry(terms, now) * 1_000),
      standing: null,
    }),
    readEscrowAuthorization: (raw, terms, now) => Promise.resolve(readEscrow(raw, terms, now)),
    receiverOf: (raw) => parse(raw)['receiver'] ?? '',
    releaseChallenge(_payment, amount, now) {
      const nonce = nextNonce()
      amounts.set(nonce, amount.atomic)
      return {
        typedData: { amount: amount.atomic.toString() },
        deadline: Math.floor(now.getTime() / 1_000) + 600,
        nonce,
      }
    },
    checkReleaseOrder(order, payment, amount) {
      const isSigned = order.signer === payment.payer && (amounts.get(order.nonce) ?? amount.atomic) === amount.atomic
      return isSigned ? Promise.resolve() : Promise.reject(new MarketError('LIFECYCLE_ORDER_INVALID'))
    },
    readStandingOrder: (raw, payment) =>
      parse(raw)['payment'] === payment.hash
        ? Promise.resolve(parse(raw))
        : Promise.reject(new MarketError('LIFECYCLE_ORDER_INVALID')),
    standingRelease: (_payment, _amount, order, now) =>
      Promise.resolve({
        signer: 'spender',
        deadline: Math.floor(now.getTime() / 1_000) + 600,
        nonce: nextNonce(),
        signature: '0x',
        warrant: order,
      }),
    directChallenge: (terms, now) => ({
      typedData: {},
      envelope: { ...plainDirect(terms), nonce: directNonceOf(terms.taskId, terms.part, BigInt(nextNonce())) },
      expiresAt: expiresAt(now),
    }),
    readDirectPayment: (raw, terms, now) => Promise.resolve(readDirect(raw, terms, now)),
    readCashOut: ({ signature, to, ...terms }) =>
      signature === plainSignature(terms.from, terms.nonce)
        ? Promise.resolve({ ...terms, to: to.toLowerCase(), token: 'token', validAfter: 0n, signature })
        : Promise.reject(new MarketError('INVALID_SIGNATURE')),
    reclaimCall: () => ({ escrow: 'escrow', chainId: 31_337, calldata: '0x' }),
    releaseApproval: () => ({}),
    treasury: () => Promise.resolve('treasury'),
    freshNonce: nextNonce,
    offerDocument: (terms) => ({ nonce: terms.nonce }),
    isOfferSigned: ({ nonce }, signer, signature) => Promise.resolve(signature === plainSignature(signer, nonce)),
    rulingDocument: (terms) => ({ nonce: terms.nonce }),
    isRulingSigned: ({ arbiter, nonce }, signature) => Promise.resolve(signature === plainSignature(arbiter, nonce)),
  }
}

/** How a wallet signs an agreement here. */
export const plainSignature = (signer: string, nonce: string): string => `${signer} signs ${nonce}`

const plainEscrow = ({ taskId, payer, receiver, amount }: EscrowTerms, hash: string): Record<string, string> => ({
  payer,
  receiver,
  amount: amount.atomic.toString(),
  hash,
  salt: saltOf(taskId, BigInt(hash)).toString(),
})
/** A month, or what the policy needs, with room. */
function plainExpiry({ deadline, boundUntil }: EscrowTerms, now: Date): number {
  const asked = boundUntil === null ? 0 : askedUntil({ deadline, boundUntil }).getTime()
  return Math.floor(Math.max(now.getTime() + 30 * 86_400_000, asked) / 1_000)
}
const plainDirect = (terms: DirectTerms): Record<string, string> => ({
  from: terms.from,
  to: terms.to,
  amount: terms.amount.atomic.toString(),
})

// The test wrote this JSON a moment ago.
const parse = (raw: string): Record<string, string> => JSON.parse(raw) as Record<string, string>

function readEscrow(
  raw: string,
  terms: EscrowTerms,
  now: Date,
): Awaited<ReturnType<PaymentSignatures['readEscrowAuthorization']>> {
  const { receiver, amount, hash, salt } = parse(raw)
  if (receiver !== terms.receiver) throw new MarketError('FORBIDDEN_RECEIVER')
  if (amount !== terms.amount.atomic.toString()) throw new MarketError('AMOUNT_MISMATCH')
  const seconds = Math.floor(now.getTime() / 1_000)
  return {
    payment: {
      network: terms.network,
      asset: terms.amount.asset,
      operator: 'operator',
      payer: terms.payer,
      receiver: terms.receiver,
      token: 'token',
      maxAmount: terms.amount.atomic,
      preApprovalExpiry: seconds + 3_600,
      authorizationExpiry: plainExpiry(terms, now),
      refundExpiry: plainExpiry(terms, now) + 10 * 86_400,
      minFeeBps: 0,
      maxFeeBps: 1_300,
      feeReceiver: 'operator',
      salt: BigInt(salt ?? 1),
      hash: hash ?? '',
    },
    authorization: { validAfter: 0n, validBefore: BigInt(seconds + 3_600), nonce: hash ?? '', signature: '0x' },
  }
}

function readDirect(
  raw: string,
  terms: DirectTerms,
  now: Date,
): Awaited<ReturnType<PaymentSignatures['readDirectPayment']>> {
  const { to, amount, nonce } = parse(raw)
  if (to !== terms.to) throw new MarketError('FORBIDDEN_RECEIVER')
  if (amount !== terms.amount.atomic.toString()) throw new MarketError('AMOUNT_MISMATCH')
  return {
    network: terms.network,
    amount: terms.amount,
    token: 'token',
    from: terms.from,
    to: terms.to,
    validAfter: 0n,
    validBefore: BigInt(Math.floor(now.getTime() / 1_000) + 3_600),
    nonce: nonce ?? '',
    signature: '0x',
  }
}

/** A registry in which every wallet gets the next id. */
export function createCountingRegistry(): IdentityRegistry {
  const ids = new Map<string, number>()
  return {
    lookup: (_network, wallet) => Promise.resolve(ids.get(wallet) ?? null),
    holder: (_network, agentId) =>
      Promise.resolve(
        [...ids]
          .filter(([, id]) => id === agentId)
          .map(([wallet]) => ({ owner: wallet, wallet, uri: null, isSettled: true }))[0] ?? null,
      ),
    register({ wallet }) {
      const agentId = ids.get(wallet) ?? ids.size + 1
      ids.set(wallet, agentId)
      return Promise.resolve({ agentId, txHash: `0x${agentId.toString(16).padStart(64, '0')}` })
    },
  }
}

const plainHash = (bytes: Uint8Array): string => `0x${String(bytes.length).padStart(64, '0')}`

/** Ratings that always land. */
export function createPlainRatings(): RatingRelay {
  let count = 0
  const landed = new Map<string, { txHash: string; blockNumber: bigint; logIndex: number; feedbackIndex: number }>()
  const settle = ({
    feedbackUri,
  }: RatingTerms): Promise<{
    outcome: 'settled'
    txHash: string
    blockNumber: bigint
    logIndex: number
    feedbackIndex: number
  }> => {
    count += 1
    const landing = {
      txHash: `0x${count.toString(16).padStart(64, 'f')}`,
      blockNumber: BigInt(count),
      logIndex: 0,
      feedbackIndex: count,
    }
    landed.set(feedbackUri, landing)
    return Promise.resolve({ outcome: 'settled', ...landing })
  }
  return {
    prepare: (_terms, _rater, now) =>
      Promise.resolve({
        typedData: {},
        digest: '0x',
        deadline: Math.floor(now.getTime() / 1_000) + 600,
        nonce: '0x01',
        chainId: 31_337,
        delegate: '0x',
        delegated: true,
        accountNonce: 0,
      }),
    relay: settle,
    give: async (terms) => ({ ...(await settle(terms)), author: `0x${'fa'.repeat(20)}` }),
    summary: () => Promise.resolve({ mean: 90, count }),
    document(fields) {
      const bytes = Uint8Array.from(JSON.stringify(fields), (char) => char.charCodeAt(0))
      return { bytes, hash: plainHash(bytes) }
    },
    hashOf: plainHash,
    find: (terms) => Promise.resolve(landed.get(terms.feedbackUri) ?? null),
  }
}

/** Storage in which every link of ours leads to a small JPEG. */
export function createPlainEvidence(): EvidenceStorage {
  return {
    presignUpload: (file) =>
      Promise.resolve({
        url: 'http://evidence/upload',
        publicUrl: `http://evidence/${file.taskId}`,
        key: file.taskId,
        expiresInSec: 900,
        headers: {},
        maxBytes: 1_000,
      }),
    uploadKey: (link) => link,
    remove: () => Promise.resolve(),
    removeDrafts: () => Promise.resolve(),
    resolve: (link) =>
      Promise.resolve(
        link.startsWith('http://evidence/')
          ? { key: link.slice(16), contentType: 'image/jpeg', bytes: 100, sha256: '00', cleanKey: null }
          : null,
      ),
    presignDownload: (key) => Promise.resolve({ url: `http://evidence/download/${key}`, expiresInSec: 900 }),
    ownerOf: () => null,
    read: () => Promise.resolve(Uint8Array.of(0xff, 0xd8, 0xff)),
  }
}

/** Room without end, and nothing to purge. */
export function createPlainUploads(): Uploads {
  const nothing = Promise.resolve()
  return {
    limits: { perTask: 0, perWalletDay: 0, perDay: 0 },
    reserve: () => Promise.resolve(null),
    claim: () => Promise.resolve(true),
    taken: () => nothing,
    leaseDue: () => Promise.resolve([]),
    purged: () => nothing,
    sizes: () =>
      Promise.resolve({ files: 0, bytes: 0, waitingFiles: 0, waitingBytes: 0, todayBytes: 0, dayLimitBytes: 0 }),
  }
}

/** Opens no file: a picture without a word about itself. */
export function createPlainInspector(): EvidenceInspector {
  return {
    inspect: (file) =>
      Promise.resolve({
        sha256: file.sha256,
        contentType: file.content_type,
        bytes: file.bytes,
        width: null,
        height: null,
        image: null,
        exif: null,
        aiMarkers: [],
        trouble: null,
      }),
  }
}
