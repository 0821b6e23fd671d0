import assert from 'node:assert/strict'
import type { ApproveChallenge, ApproveInput, AssignChallenge, SignedReleaseOrder } from '@ergon/core'
import {
  hashTypedData,
  parseExactPayload,
  parsePaymentAuth,
  paymentInfoHash,
  receiveWithAuthorizationDigest,
  transferWithAuthorizationDigest,
  isHex32,
  type Hex,
  type TypedData,
} from '@ergon/protocols'
import { deployment, tokenDomain } from '../chain/deployment.ts'
import type { CaseFile, Signed } from './case-file.ts'

type Envelope = Readonly<Record<string, unknown>>

/** The envelope with the payer's signature in it, as a client sends it. */
function withSignature(envelope: Envelope, signature: Hex): string {
  // The challenge carries a payload that wants only this.
  return JSON.stringify({ ...envelope, payload: { ...(envelope['payload'] as Envelope), signature } })
}

export type SignedLock = {
  readonly paymentAuth: string
  /** Null where silence pays nobody, and where its payer does not want it to. */
  readonly standingOrder: string | null
  readonly signed: Signed
}

/** Signs the authorization of a challenge; the file remembers it. */
export function signLock(file: CaseFile, challenge: AssignChallenge): SignedLock {
  const { paymentInfo: info, authorization } = parsePaymentAuth(challenge.envelope)
  // Half of the salt names the task: what is signed here pays no other.
  assert.equal(
    (info.salt >> 128n).toString(16).padStart(32, '0'),
    file.taskId.replaceAll('-', ''),
    'the challenge is for this task',
  )
  const signature = file.publisher.sign(receiveWithAuthorizationDigest(tokenDomain, authorization))
  const name = paymentInfoHash(info, deployment.chainId, deployment.escrow)
  const signed: Signed = {
    kind: 'lock',
    name,
    info,
    authorization,
    signature,
    sent: 0,
    denied: 0,
    byHand: false,
    emptiedAtMs: null,
  }
  file.signed.push(signed)
  return {
    paymentAuth: withSignature(challenge.envelope, signature),
    standingOrder: signStanding(file, challenge),
    signed,
  }
}

/** The second document of a challenge, signed by who wants silence to pay. */
function signStanding({ plan, publisher }: CaseFile, { standing }: AssignChallenge): string | null {
  if (standing === null || !plan.consents) return null
  const signature = publisher.sign(hashTypedData(standing.typedData as unknown as TypedData))
  return JSON.stringify({ ...standing.order, signature })
}

export type Approval = { readonly input: ApproveInput; readonly signed: readonly Signed[]; readonly order: Hex | null }

/** Signs whatever an approval needs in this mode. */
export function signApproval(file: CaseFile, challenge: ApproveChallenge): Approval {
  const base = { rating: null, feedback: null }
  if (challenge.release !== null) {
    const { typedData, deadline, nonce } = challenge.release
    // The challenge is typed data that a wallet shows and signs.
    const signature = file.publisher.sign(hashTypedData(typedData as unknown as TypedData))
    const order: SignedReleaseOrder = { signer: file.publisher.address, deadline, nonce, signature }
    return {
      input: { ...base, order, payoutAuth: null, feeAuth: null },
      signed: [],
      order: isHex32(nonce) ? nonce : null,
    }
  }
  const direct = (
    kind: 'payout' | 'fee',
    given: ApproveChallenge['payoutAuth'],
  ): { readonly raw: string | null; readonly signed: readonly Signed[] } => {
    if (given === null) return { raw: null, signed: [] }
    const { authorization } = parseExactPayload(given.envelope['payload'])
    const signature = file.publisher.sign(transferWithAuthorizationDigest(tokenDomain, authorization))
    return {
      raw: withSignature(given.envelope, signature),
      signed: [
        {
          kind,
          name: authorization.nonce,
          info: null,
          authorization,
          signature,
          sent: 0,
          denied: 0,
          byHand: false,
          emptiedAtMs: null,
        },
      ],
    }
  }
  const [payout, fee] = [direct('payout', challenge.payoutAuth), direct('fee', challenge.feeAuth)]
  const signed = [...payout.signed, ...fee.signed]
  file.signed.push(...signed)
  return { input: { ...base, order: null, payoutAuth: payout.raw, feeAuth: fee.raw }, signed, order: null }
}
