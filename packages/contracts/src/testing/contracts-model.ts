import {
  createModelState,
  type ModelAnswer,
  type ModelDeployment,
  type ModelSnapshot,
  type PaymentTerms,
  type SignatureCheck,
} from './chain-model.ts'
import { heldFor, runEscrow, stateOf, type EscrowCall, type PaymentState } from './escrow-model.ts'
import { runOperator, type OperatorCall } from './operator-model.ts'
import { balanceOf, runToken, type TokenCall } from './token-model.ts'

export type ModelCall =
  | ({ readonly to: 'escrow' } & EscrowCall)
  | ({ readonly to: 'operator' } & OperatorCall)
  | ({ readonly to: 'token' } & TokenCall)

/** Escrow, operator and token of the local chain, in memory: the same guards in the same order, reverts and logs. */
export type ContractsModel = {
  /** Carries a call out in a block of this second, whole or not at all. */
  call(sender: string, timestamp: number, call: ModelCall): ModelAnswer
  /** What the call would answer; nothing changes. */
  ask(sender: string, timestamp: number, call: ModelCall): ModelAnswer
  mint(account: string, amount: bigint): void
  /** The escrow has created the store of this operator before: for a model of a chain that is not new. */
  adoptStore(operator: string): void
  payment(terms: PaymentTerms): PaymentState
  balance(account: string): bigint
  held(operator: string): bigint
  isUsed(account: string, nonce: string): boolean
  /** The fee that the operator locked for a payment; 0 for one it does not know. */
  lockedFeeBps(hash: string): number
  /** For a chain that reorganizes: everything as it was. */
  snapshot(): ModelSnapshot
  restore(snapshot: ModelSnapshot): void
}

export function createContractsModel(
  deployment: ModelDeployment,
  isSigned: SignatureCheck = () => true,
): ContractsModel {
  const state = createModelState(deployment)
  const { ground } = state
  const work = (sender: string, made: ModelCall) => (): void => {
    if (made.to === 'escrow') runEscrow(ground, sender, made, isSigned)
    else if (made.to === 'operator') runOperator(ground, sender, made, isSigned)
    else runToken(ground, sender, made, isSigned)
  }
  return {
    call: (sender, timestamp, made) => state.run(timestamp, work(sender, made)),
    ask: (sender, timestamp, made) => state.rehearse(timestamp, work(sender, made)),
    mint: (account, amount) => {
      ground.put('balance', account, balanceOf(ground, account) + amount)
    },
    adoptStore: (operator) => {
      ground.put('store', operator, true)
    },
    payment: (terms) => stateOf(ground, terms),
    balance: (account) => balanceOf(ground, account),
    held: (operator) => heldFor(ground, operator),
    isUsed: (account, nonce) => ground.get('used', `${account}:${nonce}`, false),
    lockedFeeBps: (hash) => ground.get('fee', hash, 0),
    snapshot: () => state.snapshot(),
    restore: (snapshot) => {
      state.restore(snapshot)
    },
  }
}
