import type { AgreementSignatures, OfferTerms, RulingTerms } from '@ergon/core'
import {
  disputeRulingTypedData,
  hashTypedData,
  hexToBytes,
  lowerAddress,
  settlementOfferTypedData,
  type Hex,
  type TypedData,
} from '@ergon/protocols'
import { tokenOf } from '../networks.ts'
import { unix, walletOf } from './payment-terms.ts'
import { isSignedBy, type SignatureDeps } from './signature-deps.ts'

const zeroHash = `0x${'00'.repeat(32)}` as const
const signatureShape = /^0x(?:[0-9a-fA-F]{2}){1,4096}$/

/** What the parties of a task and its arbiter sign, rebuilt from our own rows each time (decisions 0167, 0168). */
export function createAgreementSignatures(deps: SignatureDeps): AgreementSignatures {
  const signed = async (network: string, document: TypedData, address: string, signature: string): Promise<boolean> => {
    if (!signatureShape.test(signature)) return false
    const { chainId } = deps.networks.named(network)
    const hash = hashTypedData(document)
    // Tested above to be hex.
    return isSignedBy(deps, { chainId, address: walletOf(address), hash, signature: hexToBytes(signature as Hex) })
  }
  return {
    freshNonce: deps.random32,
    offerDocument: (terms) => offerOf(deps, terms),
    isOfferSigned: (terms, signer, signature) => signed(terms.network, offerOf(deps, terms), signer, signature),
    rulingDocument: (terms) => rulingOf(deps, terms),
    isRulingSigned: (terms, signature) => signed(terms.network, rulingOf(deps, terms), terms.arbiter, signature),
  }
}

function offerOf({ networks }: SignatureDeps, terms: OfferTerms): TypedData {
  const network = networks.named(terms.network)
  const { taskId, payment, payer, worker, asset, toWorker, toPayer, expiresAt, nonce } = terms
  return settlementOfferTypedData(
    {
      taskId,
      // The hash of a payment is one that we made.
      payment: (payment ?? zeroHash) as Hex,
      payer: walletOf(payer),
      worker: walletOf(worker),
      token: lowerAddress(tokenOf(network, asset.symbol).address),
      workerAmount: toWorker,
      payerAmount: toPayer,
      expiry: unix(expiresAt),
      // Of 32 bytes, by the schema of what brought it.
      nonce: nonce as Hex,
    },
    network.chainId,
  )
}

function rulingOf({ networks }: SignatureDeps, terms: RulingTerms): TypedData {
  const { chainId } = networks.named(terms.network)
  const { disputeId, taskId, arbiter, verdict, payerPct, reason, criteria, deadline, nonce } = terms
  return disputeRulingTypedData(
    {
      disputeId,
      taskId,
      arbiter: walletOf(arbiter),
      verdict,
      payerPct,
      reason,
      criteria,
      deadline: unix(deadline),
      // As above.
      nonce: nonce as Hex,
    },
    chainId,
  )
}
