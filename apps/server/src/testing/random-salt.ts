import { randomBytes } from 'node:crypto'
import {
  authorizationNonce,
  lowerAddress,
  networks,
  parsePaymentAuth,
  receiveWithAuthorizationTypedData,
  serializePaymentAuth,
  type Signer,
} from '@ergon/protocols'

/**
 * An authorization of the local network signed anew with a random salt, as a client makes it that knows nothing of
 * ours.
 */
export async function withRandomSalt(raw: string, signer: Pick<Signer, 'signTypedData'>): Promise<string> {
  const {
    escrow,
    chainId,
    tokens: { USDC: token },
  } = networks.localnet
  if (escrow === undefined || chainId === undefined || token === undefined)
    throw new Error('the local network has an escrow and its dollars')
  const auth = parsePaymentAuth(raw)
  const paymentInfo = { ...auth.paymentInfo, salt: BigInt(`0x${randomBytes(32).toString('hex')}`) }
  const authorization = { ...auth.authorization, nonce: authorizationNonce(paymentInfo, chainId, escrow.escrow) }
  const domain = { name: token.name, version: token.version, chainId, verifyingContract: lowerAddress(token.address) }
  const document = receiveWithAuthorizationTypedData(domain, authorization)
  return serializePaymentAuth({ ...auth, paymentInfo, authorization, signature: await signer.signTypedData(document) })
}
