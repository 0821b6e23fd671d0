import { localAddresses, localRoles } from '@ergon/contracts'
import {
  bytesToHex,
  lifecycleOrderTypedData,
  lowerAddress,
  paymentInfoToWire,
  privateKeySigner,
  type Address,
  type Hex,
} from '@ergon/protocols'
import { randomBytes } from 'node:crypto'
import { calls } from './calls.ts'
import { balanceOf, signedOf, stateOf, type Scene, type Signed } from './scene.ts'
import type { ChainAct, Portion } from './steps.ts'

const operator = lowerAddress(localAddresses.Operator)
const escrow = lowerAddress(localAddresses.Escrow)
const token = lowerAddress(localAddresses.TestUSD)
const collector = lowerAddress(localAddresses.Eip3009Collector)
const service = privateKeySigner(localRoles.service.privateKey)

type Made = 'success' | 'reverted' | 'nothing to do' | 'refused'
type Call = { readonly from: Address; readonly to: Address; readonly data: Hex }

/**
 * Carries out a call past the market and says what became of it. A call that only the operator may make must revert.
 */
export async function actOnChain(scene: Scene, act: ChainAct): Promise<Made> {
  const onWallet = await actOnWallet(scene, act)
  if (onWallet !== null) return onWallet
  const signed = signedOf(scene, act.which)
  if (signed === null) return 'nothing to do'
  if (act.do === 'order a release' || act.do === 'order a refund') return orderPast(scene, act, signed)
  const call = await callOf(scene, act, signed)
  if (call === null) return 'nothing to do'
  const made = await scene.world.transact(call.from, call.to, call.data)
  if (act.do.startsWith('escrow.') && made === 'success')
    throw new Error(`${act.by} called ${act.do} of the escrow itself`)
  return made
}

function senderOf(scene: Scene, { by }: ChainAct): Address {
  const senders = {
    payer: scene.payer.address,
    worker: scene.workers[0].address,
    anybody: scene.anybody.address,
    facilitator: operator,
  }
  return senders[by]
}

function portionOf(portion: Portion, of: bigint): bigint {
  const portions = { 'a dust': of < 1n ? of : 1n, 'a third': of / 3n, all: of }
  return portions[portion]
}

async function callOf(scene: Scene, act: ChainAct, { info, hash, signature }: Signed): Promise<Call | null> {
  const state = await stateOf(scene.world, hash)
  const from = senderOf(scene, act)
  const ofAll = portionOf(act.portion, info.maxAmount)
  const ofHeld = portionOf(act.portion, state.capturable) || 1n
  const ofPaid = portionOf(act.portion, state.refundable) || 1n
  const own = { from, to: operator }
  // The facilitator's key is in use; its refunds are made as the operator makes them of the escrow.
  const asOperator = act.by === 'facilitator'
  switch (act.do) {
    case 'relay':
      return { ...own, data: calls.authorize(info, ofAll, collector, signature) }
    case 'charge':
      return { ...own, data: calls.charge(info, ofAll, collector, signature) }
    case 'release':
      return { ...own, data: calls.release(info, ofHeld) }
    case 'refundInEscrow':
      return { ...own, data: calls.refundInEscrow(info, ofHeld) }
    case 'refundPostEscrow':
      return asOperator
        ? { from: operator, to: escrow, data: calls.refund(info, ofPaid, scene.world.pocket) }
        : { ...own, data: calls.refundPostEscrow(info, ofPaid, scene.world.pocket) }
    case 'reclaim':
      return { from, to: escrow, data: calls.reclaim(info) }
    default:
      return directCall(
        act,
        asOperator ? scene.anybody.address : from,
        { info, signature },
        { ofAll, ofHeld, ofPaid },
        scene.world.pocket,
      )
  }
}

/** What the escrow does for the operator of the payment alone. */
function directCall(
  { do: name }: ChainAct,
  from: Address,
  { info, signature }: Pick<Signed, 'info' | 'signature'>,
  { ofAll, ofHeld, ofPaid }: { readonly ofAll: bigint; readonly ofHeld: bigint; readonly ofPaid: bigint },
  pocket: Address,
): Call | null {
  const to = escrow
  switch (name) {
    case 'escrow.authorize':
      return { from, to, data: calls.authorize(info, ofAll, collector, signature) }
    case 'escrow.charge':
      return { from, to, data: calls.escrowCharge(info, ofAll, collector, signature) }
    case 'escrow.capture':
      return { from, to, data: calls.capture(info, ofHeld) }
    case 'escrow.void':
      return { from, to, data: calls.void(info) }
    case 'escrow.partialVoid':
      return { from, to, data: calls.partialVoid(info, ofHeld) }
    case 'escrow.refund':
      return { from, to, data: calls.refund(info, ofPaid, pocket) }
    default:
      return null
  }
}

/** Acts that need no payment in escrow; null for all others. */
async function actOnWallet(scene: Scene, act: ChainAct): Promise<Made | null> {
  const { world, payer, vault } = scene
  switch (act.do) {
    case 'distributeFees':
      return world.transact(senderOf(scene, act), operator, calls.distributeFees(token))
    case 'empty the wallet':
      return moveAll(scene, payer.address, vault.address)
    case 'fill the wallet':
      return moveAll(scene, vault.address, payer.address)
    case 'donate to the operator': {
      scene.donated += 1_000n
      await world.mint(operator, 1_000n)
      return 'success'
    }
    case 'cancelAuthorization':
      return cancelAuthorization(scene, act)
    case 'present the payout':
    case 'present the fee':
      return present(scene, act)
    default:
      return null
  }
}

async function moveAll({ world }: Scene, from: Address, to: Address): Promise<Made> {
  const value = await balanceOf(world, from)
  return value === 0n ? 'nothing to do' : world.transact(from, token, calls.transfer(to, value))
}

async function cancelAuthorization(scene: Scene, act: ChainAct): Promise<Made> {
  const nonce = scene.mode === 'fase1' ? scene.transfers.at(-1)?.nonce : signedOf(scene, act.which)?.nonce
  if (nonce === undefined) return 'nothing to do'
  const signature = await scene.payer.signer.signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: 31_337, verifyingContract: token },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: scene.payer.address, nonce },
  })
  return scene.world.transact(
    scene.anybody.address,
    token,
    calls.cancelAuthorization(scene.payer.address, nonce, signature),
  )
}

/** Whoever holds a signed transfer may carry it to the token (EIP-3009). */
async function present(scene: Scene, act: ChainAct): Promise<Made> {
  const transfer = scene.transfers.at(act.do === 'present the fee' ? -1 : -2)
  if (transfer === undefined) return 'nothing to do'
  const { to, value, validAfter, validBefore, nonce, signature } = transfer
  return scene.world.transact(
    senderOf(scene, act),
    token,
    calls.transferWithAuthorization(scene.payer.address, to, value, validAfter, validBefore, nonce, signature),
  )
}

/** Another client of the facilitator, with an order that the payer or the service signed. */
async function orderPast(scene: Scene, act: ChainAct, { info, hash }: Signed): Promise<Made> {
  const { capturable } = await stateOf(scene.world, hash)
  const amount = portionOf(act.portion, capturable)
  if (amount === 0n) return 'nothing to do'
  const action = act.do === 'order a release' ? 'release' : 'refundInEscrow'
  const signer = action === 'release' ? scene.payer.signer : service
  const terms = {
    action,
    amount,
    deadline: scene.world.time.now() + 600,
    nonce: bytesToHex(randomBytes(32)),
    paymentInfo: info,
  } as const
  const signature = await signer.signTypedData(lifecycleOrderTypedData(terms, 31_337))
  const body = {
    x402Version: 2,
    scheme: 'escrow',
    action,
    payload: {
      paymentInfo: paymentInfoToWire(info),
      payer: info.payer,
      amount: amount.toString(),
      lifecycleAuth: { signer: lowerAddress(signer.address), deadline: terms.deadline, nonce: terms.nonce, signature },
    },
    paymentRequirements: {
      scheme: 'escrow',
      network: 'eip155:31337',
      extra: { escrowAddress: escrow, operatorAddress: operator, tokenCollector: collector },
    },
  }
  const response = await fetch(`${scene.world.rig.facilitatorUrl}/settle`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  // The facilitator's own envelope.
  const answer = (await response.json()) as { readonly success?: boolean; readonly transaction?: string }
  if (answer.transaction !== undefined) scene.orderedPast.add(answer.transaction)
  return answer.success === true ? 'success' : 'refused'
}
