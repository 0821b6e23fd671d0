import { addressOf, bytesToHex, concatBytes, hexToBytes, keccak256 } from '@ergon/protocols'
import { scryptAsync } from '@noble/hashes/scrypt.js'
import { PasskeyFault } from './faults.ts'
import { randomBytes, wiping, type Bytes } from './sealing.ts'

const rounds = 2 ** 17
/** Four times our own: other wallets write 2^18. More would stop a phone. */
const mostRounds = 2 ** 19
const longestFile = 10_000
const fewestCharacters = 12

/** A passphrase turned into a secret, at the cost of a third of a second and 128 MB for each guess. */
export async function stretched(passphrase: string, salt: Bytes, n = rounds, r = 8, p = 1): Promise<Bytes> {
  const secret = await scryptAsync(passphrase.normalize('NFKC'), salt, { N: n, r, p, dkLen: 32, maxmem: 2 ** 30 })
  return new Uint8Array(secret)
}

/** @throws PasskeyFault for a passphrase that would be guessed */
export function requirePassphrase(passphrase: string): void {
  if ([...passphrase.trim()].length < fewestCharacters) throw new PasskeyFault('weakPassphrase')
}

/** A key file of version 3, as other wallets open it. The key is the caller's to wipe. */
export async function writeKeyFile(key: Bytes, passphrase: string): Promise<string> {
  requirePassphrase(passphrase)
  const [salt, iv] = [randomBytes(32), randomBytes(16)]
  return wiping(await stretched(passphrase, salt), async (secret) => {
    const ciphertext = await counted(secret, iv, key, 'encrypt')
    return JSON.stringify({
      version: 3,
      id: crypto.randomUUID(),
      address: bare(hexToBytes(addressOf(key))),
      crypto: {
        cipher: 'aes-128-ctr',
        cipherparams: { iv: bare(iv) },
        ciphertext: bare(ciphertext),
        kdf: 'scrypt',
        kdfparams: { dklen: 32, n: rounds, r: 8, p: 1, salt: bare(salt) },
        mac: bare(macOf(secret, ciphertext)),
      },
    })
  })
}

/** The key in a file; whoever gets it wipes it. @throws PasskeyFault for another file or passphrase */
export async function readKeyFile(text: string, passphrase: string): Promise<Bytes> {
  const { salt, n, r, p, iv, ciphertext, mac } = partsOf(text)
  if (n > mostRounds || r > 16 || p > 4 || n * r > mostRounds * 8) throw new PasskeyFault('fileHeavy')
  return wiping(await stretched(passphrase, salt, n, r, p), async (secret) => {
    if (bare(macOf(secret, ciphertext)) !== mac) throw new PasskeyFault('wrongPassphrase')
    return counted(secret, iv, ciphertext, 'decrypt')
  })
}

type Parts = {
  readonly salt: Bytes
  readonly n: number
  readonly r: number
  readonly p: number
  readonly iv: Bytes
  readonly ciphertext: Bytes
  readonly mac: string
}

function partsOf(text: string): Parts {
  const odd = new PasskeyFault('fileOdd')
  if (text.length > longestFile) throw odd
  const file = lowered(parsed(text))
  const inside = lowered(file['crypto'])
  const [how, where] = [lowered(inside['kdfparams']), lowered(inside['cipherparams'])]
  if (file['version'] !== 3 || inside['kdf'] !== 'scrypt' || inside['cipher'] !== 'aes-128-ctr') throw odd
  const bytes = (value: unknown, ...lengths: readonly number[]): Bytes => {
    if (typeof value !== 'string' || !/^(?:0x)?(?:[0-9a-f]{2})+$/i.test(value)) throw odd
    const read = new Uint8Array(hexToBytes(`0x${value.replace(/^0x/i, '').toLowerCase()}`))
    if (lengths.length > 0 && !lengths.includes(read.length)) throw odd
    return read
  }
  const count = (value: unknown): number => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) throw odd
    return value
  }
  const n = count(how['n'])
  if (n < 2 || (n & (n - 1)) !== 0 || how['dklen'] !== 32) throw odd
  return {
    salt: bytes(how['salt']),
    n,
    r: count(how['r']),
    p: count(how['p']),
    iv: bytes(where['iv'], 16),
    ciphertext: bytes(inside['ciphertext'], 32),
    mac: bare(bytes(inside['mac'], 32)),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Some wallets write the names of the fields with capitals. */
const lowered = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name.toLowerCase(), one as unknown]))
    : {}

const bare = (bytes: Uint8Array): string => bytesToHex(bytes).slice(2)
const macOf = (secret: Bytes, ciphertext: Bytes): Uint8Array =>
  keccak256(concatBytes(secret.subarray(16, 32), ciphertext))

async function counted(secret: Bytes, counter: Bytes, bytes: Bytes, how: 'encrypt' | 'decrypt'): Promise<Bytes> {
  const half = secret.slice(0, 16)
  return wiping(half, async () => {
    const key = await crypto.subtle.importKey('raw', half, 'AES-CTR', false, [how])
    return new Uint8Array(await crypto.subtle[how]({ name: 'AES-CTR', counter, length: 128 }, key, bytes))
  })
}
