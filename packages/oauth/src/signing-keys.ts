import { createECDH, hkdfSync } from 'node:crypto'
import { importJWK, type CryptoKey, type JWK } from 'jose'
import { digestOf } from './digests.ts'
import type { Clock, OAuthStore, SigningEpoch } from './ports.ts'

export type SigningKeys = {
  /** The key that signs now. */
  current(): Promise<{ readonly kid: string; readonly key: CryptoKey }>
  /** What verifies a signature by that key; undefined when no such key is shown. */
  byKid(kid: string): Promise<CryptoKey | undefined>
  /** The keys that verifiers may meet: the next one before it signs, the last one until its tokens are over. */
  jwks(): Promise<{ readonly keys: readonly JWK[] }>
}

export type SigningKeysDeps = {
  /** Thirty-two bytes that nothing else is keyed with; every key is derived from them, so none is stored. */
  readonly root: Uint8Array
  readonly store: Pick<OAuthStore, 'signingEpochs'>
  readonly now: Clock
}

type Pair = { readonly kid: string; readonly privateKey: CryptoKey; readonly publicKey: CryptoKey; readonly jwk: JWK }

/** How long the epochs are taken as read; a key is shown for longer than that before it signs. */
const keptMs = 30_000
/** How often at most an unknown key id has them read again. */
const askAgainMs = 1_000

/** ES256 keys by epoch (decision 0123). */
export function createSigningKeys({ root, store, now }: SigningKeysDeps): SigningKeys {
  const pairs = new Map<number, Promise<Pair>>()
  let read: { readonly at: number; readonly epochs: Promise<readonly SigningEpoch[]> } | undefined
  const epochs = (olderThanMs = keptMs): Promise<readonly SigningEpoch[]> => {
    const at = now().getTime()
    if (read === undefined || Math.abs(at - read.at) > olderThanMs) {
      const asked = { at, epochs: store.signingEpochs(now()) }
      asked.epochs.catch(() => {
        if (read === asked) read = undefined
      })
      read = asked
    }
    return read.epochs
  }
  const pairOf = (epoch: number): Promise<Pair> => {
    const known = pairs.get(epoch) ?? derive(root, epoch)
    pairs.set(epoch, known)
    return known
  }
  const shown = async (olderThanMs?: number): Promise<readonly Pair[]> =>
    Promise.all(
      (await epochs(olderThanMs))
        .filter(({ shownUntil }) => shownUntil === null || shownUntil > now())
        .map(({ epoch }) => pairOf(epoch)),
    )
  return {
    async current() {
      const ready = (await epochs()).filter(({ signsFrom }) => signsFrom <= now())
      const newest = ready.reduce<SigningEpoch | undefined>(
        (best, one) => (best === undefined || one.epoch > best.epoch ? one : best),
        undefined,
      )
      if (newest === undefined) throw new Error('no signing key is there yet')
      const { kid, privateKey } = await pairOf(newest.epoch)
      return { kid, key: privateKey }
    },
    async byKid(kid) {
      const known = (await shown()).find((one) => one.kid === kid)
      return (known ?? (await shown(askAgainMs)).find((one) => one.kid === kid))?.publicKey
    },
    async jwks() {
      return { keys: (await shown()).map(({ jwk }) => jwk) }
    },
  }
}

/** A scalar of P-256 is any 32 bytes but one in 2^32; the next try serves then. */
async function derive(root: Uint8Array, epoch: number): Promise<Pair> {
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const info = `ergon oauth signing key ${String(epoch)} ${String(attempt)}`
    const scalar = Buffer.from(hkdfSync('sha256', root, '', info, 32))
    const curve = createECDH('prime256v1')
    try {
      curve.setPrivateKey(scalar)
    } catch {
      continue
    }
    const point = curve.getPublicKey()
    const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
    const kid = digestOf(`${x}.${y}`).slice(0, 16)
    const jwk: JWK = { kty: 'EC', crv: 'P-256', x, y, kid, alg: 'ES256', use: 'sig' }
    const secret: JWK = { kty: 'EC', crv: 'P-256', x, y, d: scalar.toString('base64url') }
    // An EC key is imported as a key object of the platform, never as bytes.
    const [privateKey, publicKey] = (await Promise.all([importJWK(secret, 'ES256'), importJWK(jwk, 'ES256')])) as [
      CryptoKey,
      CryptoKey,
    ]
    return { kid, privateKey, publicKey, jwk }
  }
  throw new Error('no signing key could be derived')
}
