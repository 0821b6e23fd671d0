import { namedHref } from './named-href.ts'
import { isPasskeyPlace } from './passkey-place.ts'
import { PasskeyFault } from './faults.ts'
import { randomBytes, type Bytes } from './sealing.ts'

/** The same in every browser, so that a passkey that travels with its owner gives the same value there. */
const input = new TextEncoder().encode('ergon wallet, passkey value 1')
const patienceMs = 120_000

export type Passkey = { readonly credentialId: Bytes }

/**
 * Makes a passkey that can seal a wallet.
 * @throws PasskeyFault when the person or the device does not, or the passkey can give no value to seal with
 */
export async function createPasskey(name: string): Promise<Passkey> {
  refuseHere()
  const made = await asked(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: randomBytes(32),
        rp: { name: 'Ergon' },
        user: { id: randomBytes(32), name: `Ergon wallet: ${name}`, displayName: `Ergon wallet: ${name}` },
        pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        // Without a value to compute, some platforms refuse the whole passkey.
        extensions: { prf: { eval: { first: input } } },
        timeout: patienceMs,
      },
    }),
  )
  if (made.getClientExtensionResults().prf?.enabled !== true) throw new PasskeyFault('noPrf')
  return { credentialId: new Uint8Array(made.rawId) }
}

/**
 * The secret value of a passkey; whoever gets it wipes it. It comes from a use of the passkey and never from its
 * making, because some authenticators give two different ones.
 */
export async function passkeyValue({ credentialId }: Passkey): Promise<Bytes> {
  refuseHere()
  const used = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: randomBytes(32),
        allowCredentials: [{ type: 'public-key', id: credentialId }],
        userVerification: 'required',
        extensions: { prf: { eval: { first: input } } },
        timeout: patienceMs,
      },
    }),
  )
  const first = used.getClientExtensionResults().prf?.results?.first
  if (first === undefined) throw new PasskeyFault('noPrf')
  const value = ArrayBuffer.isView(first)
    ? new Uint8Array(first.buffer, first.byteOffset, first.byteLength)
    : new Uint8Array(first)
  if (value.length !== 32) throw new PasskeyFault('noPrf')
  return value
}

function refuseHere(): void {
  if (!isPasskeyPlace(location.hostname)) throw new PasskeyFault('address', { href: namedHref(location) })
  if (typeof PublicKeyCredential === 'undefined') throw new PasskeyFault('absent')
}

/** Browsers say the same for a no, for waiting too long and for another passkey, so that no page learns which. */
async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  let answer: Credential | null
  try {
    answer = await ask()
  } catch (cause) {
    const name = cause instanceof DOMException ? cause.name : ''
    if (name === 'NotAllowedError' || name === 'AbortError') throw new PasskeyFault('cancelled', {}, cause)
    if (name === 'SecurityError') throw new PasskeyFault('address', { href: namedHref(location) }, cause)
    throw new PasskeyFault(name === 'NotSupportedError' || name === 'ConstraintError' ? 'noPrf' : 'unknown', {}, cause)
  }
  // A request for a public key is answered by nothing else.
  if (answer === null) throw new PasskeyFault('cancelled')
  return answer as PublicKeyCredential
}
