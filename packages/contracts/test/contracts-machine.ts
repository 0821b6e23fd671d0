import type { Hex } from 'viem'
import { authorizationNonce, paymentInfoHash, type Address } from '@ergon/protocols'
import { localAddresses, localChainId } from '../src/index.ts'
import {
  createContractsModel,
  type ContractsModel,
  type ModelDeployment,
  type PaymentTerms,
} from '../src/testing/index.ts'
import type { TestChain } from './chain.ts'
import { carryOut, textOf, revertData } from './model-on-chain.ts'
import { callOf } from './machine-calls.ts'
import { createSignatures, signTerms } from './machine-signatures.ts'
import {
  address,
  asInfo,
  parties,
  termsOf,
  type KindOfTerms,
  type MachineStep,
  type PartyName,
  type Operation,
} from './machine-steps.ts'

/** Who may make a call; of several, the most usual. */
const rightful: Readonly<Record<Operation, PartyName>> = {
  'operator.authorize': 'facilitator',
  'operator.charge': 'payer',
  'operator.release': 'payer',
  'operator.refundInEscrow': 'facilitator',
  'operator.refundPostEscrow': 'facilitator',
  'operator.distributeFees': 'stranger',
  'escrow.authorize': 'bareOperator',
  'escrow.charge': 'bareOperator',
  'escrow.capture': 'bareOperator',
  'escrow.void': 'bareOperator',
  'escrow.partialVoid': 'bareOperator',
  'escrow.reclaim': 'payer',
  'escrow.refund': 'bareOperator',
  'token.transfer': 'payer',
  'token.cancelAuthorization': 'stranger',
  'token.receiveWithAuthorization': 'stranger',
}

export type Machine = {
  readonly model: ContractsModel
  readonly payments: readonly PaymentTerms[]
  /** Carries a step out on both and throws where they differ. Answers one line on what happened. */
  take(step: MachineStep): Promise<string>
  /** Throws where a balance, a payment, a locked fee or a nonce differs. */
  compare(): Promise<void>
}

export function deploymentOf(refundCollector: string, storeOf: ModelDeployment['storeOf']): ModelDeployment {
  return {
    token: address(localAddresses.TestUSD),
    escrow: address(localAddresses.Escrow),
    collector: address(localAddresses.Eip3009Collector),
    refundCollectors: [refundCollector],
    operator: address(localAddresses.Operator),
    treasury: address(parties.treasury.address),
    facilitator: address(parties.facilitator.address),
    feeBps: 1_300,
    maxDeposit: 100_000_000n,
    storeOf,
    hashOf: (terms) => paymentInfoHash(asInfo(terms), localChainId, localAddresses.Escrow),
  }
}

export async function openMachine(
  chain: TestChain,
  deployment: ModelDeployment,
  kinds: readonly KindOfTerms[],
  salt: bigint,
): Promise<Machine> {
  const book = createSignatures()
  const model = createContractsModel(deployment, book.isSigned)
  const start = await chain.now()
  const payments = kinds.map((kind, index) => termsOf(kind, start, salt * 16n + BigInt(index)))
  const accounts = [
    ...Object.values(parties).map((party) => address(party.address)),
    deployment.operator,
    deployment.collector,
    deployment.escrow,
    ...deployment.refundCollectors,
    deployment.storeOf(deployment.operator),
    deployment.storeOf(address(parties.bareOperator.address)),
  ]
  for (const account of accounts) {
    const balance = await chain.balanceOf(account as Address)
    if (balance > 0n) model.mint(account, balance)
  }
  for (const operator of [deployment.operator, address(parties.bareOperator.address)]) {
    if ((await chain.reader.getCode({ address: deployment.storeOf(operator) as Address })) !== undefined)
      model.adoptStore(operator)
  }
  const sign = async (terms: PaymentTerms, forged: boolean): Promise<Hex> => signTerms(deployment, book, terms, forged)
  return {
    model,
    payments,
    async take(step) {
      const terms = payments[paymentOf(step)]
      if (terms === undefined) throw new Error('a sequence has payments')
      const call = await callOf(step, terms, { model, deployment, book, sign })
      const at = secondOf(step, terms, await chain.now())
      const by = step.by === 'rightful' ? rightful[step.call] : step.by
      const sender = parties[by].address
      const expected = model.call(address(sender), at, call)
      const real = await carryOut(chain, sender, at, call, step.withBytes)
      const line = `${by} ${step.call} ${step.portion} of payment ${String(paymentOf(step))} (${kinds[paymentOf(step)] ?? ''}) at ${String(at - start)} s`
      if (expected.outcome === 'reverted') {
        const wanted = revertData(expected.revert)
        if (real.revert !== wanted)
          throw new Error(
            `${line}: the model reverts with ${expected.revert.error} ${wanted}, the chain ${real.revert ?? 'does not revert'}`,
          )
        return `${line}: ${expected.revert.error}`
      }
      if (real.revert !== null)
        throw new Error(`${line}: the model carries it out, the chain reverts with ${real.revert}`)
      const [ours, theirs] = [textOf(expected.events), textOf(real.events)]
      if (ours !== theirs) throw new Error(`${line}: the model logs\n${ours}\nthe chain\n${theirs}`)
      return `${line}: ${String(expected.events.length)} logs`
    },
    async compare() {
      for (const account of accounts)
        differ(`the balance of ${account}`, model.balance(account), await chain.balanceOf(account as Address))
      for (const terms of payments) {
        const hash = deployment.hashOf(terms)
        const { collected, capturable, refundable } = model.payment(terms)
        differ(
          'a payment',
          [collected, capturable, refundable].join(),
          ((await chain.read('Escrow', 'paymentState', [hash])) as unknown[]).join(),
        )
        differ(
          'a locked fee',
          `${String(model.lockedFeeBps(hash))},0`,
          ((await chain.read('Operator', 'authorizedFees', [hash])) as unknown[]).join(),
        )
        const nonce = authorizationNonce(asInfo(terms), localChainId, localAddresses.Escrow)
        differ(
          'a nonce',
          model.isUsed(terms.payer, nonce),
          await chain.read('TestUSD', 'authorizationState', [terms.payer, nonce]),
        )
      }
    },
  }
}

/** The second payment of a sequence is the bare operator's; a rightful call goes where it can succeed. */
function paymentOf({ by, call, payment }: MachineStep): number {
  const isBare = call.startsWith('escrow.') && call !== 'escrow.reclaim'
  return by !== 'rightful' ? payment : isBare ? 1 : payment === 1 && call.startsWith('operator.') ? 0 : payment
}

function differ(what: string, model: unknown, chain: unknown): void {
  if (model !== chain) throw new Error(`${what} is ${String(model)} in the model and ${String(chain)} on the chain`)
}

function secondOf({ wait }: MachineStep, terms: PaymentTerms, now: number): number {
  const ends = {
    'a second': 0,
    'to preApprovalExpiry': terms.preApprovalExpiry,
    'to authorizationExpiry': terms.authorizationExpiry,
    'to refundExpiry': terms.refundExpiry,
  }
  return Math.max(now + 1, ends[wait])
}
