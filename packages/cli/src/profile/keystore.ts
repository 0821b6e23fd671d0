import { createCipheriv, createDecipheriv, pbkdf2, randomBytes, randomUUID, scrypt, timingSafeEqual } from 'node:crypto'
import { addressOf, bytesToHex, hexToBytes, keccak256, type Hex } from '@ergon/protocols'
import { CliError } from '../cli-error.ts'

/**
 * A private key at rest in the format wallets share ("version 3"): scrypt, AES-128-CTR, and a keccak-256 code over
 * the ciphertext, so that the file opens in other tools and a changed byte is noticed (decision 0071).
 */
export type Keystore = {
  readonly version: 3
  readonly id: string
  readonly address: string
  readonly crypto: {
    readonly cipher: 'aes-128-ctr'
    readonly cipherparams: { readonly iv: string }
    readonly ciphertext: string
    readonly mac: string
  } & (
    | {
        readonly kdf: 'scrypt'
        readonly kdfparams: {
          readonly dklen: 32
          readonly n: number
          readonly r: number
          readonly p: number
          readonly salt: string
        }
      }
    /** Read only; what is written here is always scrypt. */
    | {
        readonly kdf: 'pbkdf2'
        readonly kdfparams: {
          readonly dklen: 32
          readonly c: number
          readonly prf: 'hmac-sha256'
          readonly salt: string
        }
      }
  )
}
type Derivation = { readonly salt: string } & (
  { readonly n: number; readonly r: number; readonly p: number } | { readonly c: number }
)

const cost = { n: 131_072, r: 8, p: 1 }
/** Files of other tools go up to this; beyond it a file asks for more memory than a key is worth. */
const mostWork = { n: 1_048_576, r: 32, p: 16, c: 10_000_000 }

export async function sealKey(privateKey: Hex, passphrase: string): Promise<Keystore> {
  const salt = randomBytes(32).toString('hex')
  const iv = randomBytes(16)
  const derived = await derive(passphrase, { ...cost, salt })
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv)
  const ciphertext = Buffer.concat([cipher.update(hexToBytes(privateKey)), cipher.final()])
  return {
    version: 3,
    id: randomUUID(),
    address: addressOf(hexToBytes(privateKey)).slice(2).toLowerCase(),
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: iv.toString('hex') },
      ciphertext: ciphertext.toString('hex'),
      kdf: 'scrypt',
      kdfparams: { dklen: 32, ...cost, salt },
      mac: codeOf(derived, ciphertext).toString('hex'),
    },
  }
}

/** @throws CliError when the passphrase is wrong or a byte was changed */
export async function openKey(store: Keystore, passphrase: string): Promise<Hex> {
  const { kdfparams, ciphertext, cipherparams, mac } = store.crypto
  const derived = await derive(passphrase, kdfparams)
  const sealed = Buffer.from(ciphertext, 'hex')
  const claimed = Buffer.from(mac, 'hex')
  const code = codeOf(derived, sealed)
  if (claimed.length !== code.length || !timingSafeEqual(claimed, code))
    throw new CliError(
      'auth',
      'WRONG_PASSPHRASE',
      'the passphrase does not open the key file',
      'Give the passphrase the key was made with: at the prompt, in ERGON_PASSPHRASE or ERGON_PASSPHRASE_FILE.',
    )
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), Buffer.from(cipherparams.iv, 'hex'))
  return bytesToHex(Buffer.concat([decipher.update(sealed), decipher.final()]))
}

/** @throws CliError when the text is no key file of this format */
export function readKeystore(text: string): Keystore {
  try {
    // Each member that is used is looked at below.
    const store = JSON.parse(text) as Keystore
    const { crypto } = store
    const within =
      crypto.kdfparams.dklen === 32 &&
      (crypto.kdf === 'scrypt'
        ? isBearable(crypto.kdfparams)
        : crypto.kdfparams.prf === 'hmac-sha256' && crypto.kdfparams.c <= mostWork.c)
    const hexes = [crypto.ciphertext, crypto.mac, crypto.kdfparams.salt, crypto.cipherparams.iv].every((hex) =>
      /^[0-9a-f]+$/i.test(hex),
    )
    if (store.version === 3 && crypto.cipher === 'aes-128-ctr' && within && hexes) return store
  } catch {
    // Said below.
  }
  throw new CliError(
    'auth',
    'KEY_FILE_UNREADABLE',
    'the key file is not a version 3 key file',
    'Restore it from a copy, or make another key with ergon init.',
  )
}

function codeOf(derived: Uint8Array, ciphertext: Uint8Array): Buffer {
  return Buffer.from(keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext])))
}

function isBearable({ n, r, p }: { readonly n: number; readonly r: number; readonly p: number }): boolean {
  return n <= mostWork.n && r <= mostWork.r && p <= mostWork.p
}

function derive(passphrase: string, params: Derivation): Promise<Buffer> {
  const salt = Buffer.from(params.salt, 'hex')
  const secret = passphrase.normalize('NFKC')
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, key: Buffer): void => {
      if (error === null) resolve(key)
      else reject(error)
    }
    if ('c' in params) pbkdf2(secret, salt, params.c, 32, 'sha256', done)
    else
      scrypt(
        secret,
        salt,
        32,
        { N: params.n, r: params.r, p: params.p, maxmem: 128 * params.r * (params.n + params.p) + 1_048_576 },
        done,
      )
  })
}
