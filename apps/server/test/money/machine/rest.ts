import { localAddresses, localRoles } from '@ergon/contracts'
import { type Hex, keccak256Hex, lowerAddress, utf8, wordAt } from '@ergon/protocols'
import { balanceOf, caller, stateOf, type Scene } from './scene.ts'
import type { World } from './world.ts'

/** What one log of the escrow moved. */
type Moved = {
  readonly kind: keyof typeof events
  readonly hash: string
  readonly atomic: bigint
  readonly feeBps: bigint
  readonly txHash: string
}

const paymentInfo = '(address,address,address,address,uint120,uint48,uint48,uint48,uint16,uint16,address,uint256)'
const events = {
  authorized: ['PaymentAuthorized', `bytes32,${paymentInfo},uint256,address`, 12, null],
  charged: ['PaymentCharged', `bytes32,${paymentInfo},uint256,address,uint16,address`, 12, 14],
  captured: ['PaymentCaptured', 'bytes32,uint256,uint16,address', 0, 1],
  voided: ['PaymentVoided', 'bytes32,uint256', 0, null],
  partiallyVoided: ['PaymentPartiallyVoided', 'bytes32,uint256,uint256', 0, null],
  reclaimed: ['PaymentReclaimed', 'bytes32,uint256', 0, null],
  refunded: ['PaymentRefunded', 'bytes32,uint256,address', 0, null],
} as const
const kinds = Object.keys(events) as (keyof typeof events)[] // the keys of a literal
const topicOf = new Map(kinds.map((kind) => [keccak256Hex(utf8(`${events[kind][0]}(${events[kind][1]})`)), kind]))
const transferTopic = keccak256Hex(utf8('Transfer(address,address,uint256)'))
const usedTopic = keccak256Hex(utf8('AuthorizationUsed(address,bytes32)'))
const escrow = lowerAddress(localAddresses.Escrow)
const operator = lowerAddress(localAddresses.Operator)
const token = lowerAddress(localAddresses.TestUSD)
const zeroWord = `0x${'0'.repeat(64)}`

type Log = { readonly topics: readonly Hex[]; readonly data: Hex; readonly transactionHash: Hex }

async function logsOf(
  world: World,
  fromBlock: bigint,
  address: string,
  topics: readonly unknown[],
): Promise<readonly Log[]> {
  return (await world.node('eth_getLogs', {
    address,
    topics,
    fromBlock: `0x${fromBlock.toString(16)}`,
    toBlock: 'latest',
  })) as readonly Log[] // logs of EIP-1474
}

async function movedIn(scene: Scene): Promise<readonly Moved[]> {
  const hashes = scene.signed.map(({ hash }) => hash)
  if (hashes.length === 0) return []
  const logs = await logsOf(scene.world, scene.fromBlock, escrow, [[...topicOf.keys()], hashes])
  return logs.flatMap(({ topics: [topic, hash], data, transactionHash }) => {
    const kind = topic === undefined ? undefined : topicOf.get(topic)
    if (kind === undefined || hash === undefined) return []
    const [, , amount, fee] = events[kind]
    return [
      {
        kind,
        hash,
        atomic: wordAt(data, amount) ?? 0n,
        feeBps: fee === null ? 0n : (wordAt(data, fee) ?? 0n),
        txHash: transactionHash,
      },
    ]
  })
}

/** What a balance of the parties changed by, transaction by transaction. */
async function transfersOf(
  { world, fromBlock }: Scene,
  account: string,
): Promise<readonly { readonly txHash: string; readonly atomic: bigint }[]> {
  const word = `0x${account.slice(2).padStart(64, '0')}`
  const [out, back] = [
    await logsOf(world, fromBlock, token, [transferTopic, word]),
    await logsOf(world, fromBlock, token, [transferTopic, null, word]),
  ]
  const signed =
    (sign: bigint) =>
    ({ topics, data, transactionHash }: Log) =>
      topics[1] === zeroWord ? [] : [{ txHash: transactionHash, atomic: sign * (wordAt(data, 0) ?? 0n) }]
  return [...out.flatMap(signed(-1n)), ...back.flatMap(signed(1n))]
}

type Row = { readonly account: string; readonly balance: bigint }

async function ledgerOf({ world, taskId }: Scene): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await world.pool.query<Row>(
    'select account, sum(amount_atomic)::bigint as balance from ledger where task_id = $1 group by account',
    [taskId],
  )
  return new Map(rows.map(({ account, balance }) => [account, BigInt(balance)]))
}

/** What the market was given: the payments and direct transfers of its settlements, refused ones included. */
async function givenTo({ world, taskId }: Scene): Promise<ReadonlySet<string>> {
  const names = "coalesce(order_json -> 'payment' ->> 'hash', order_json -> 'transfer' ->> 'nonce')"
  const { rows } = await world.pool.query<{ name: string }>(
    `select distinct ${names} as name from settlements where task_id = $1`,
    [taskId],
  )
  return new Set(rows.map(({ name }) => name))
}

/** What is wrong with the books of a sequence at rest; empty when they say what the chain says. */
export async function disagreements(scene: Scene, isOver: boolean): Promise<readonly string[]> {
  const [moved, given, ledger] = [await movedIn(scene), await givenTo(scene), await ledgerOf(scene)]
  const ours = moved.filter(({ hash }) => given.has(hash))
  return [
    ...(await openRows(scene)),
    ...(await paymentFaults(scene, given, ledger, isOver)),
    ...(await walletFaults(scene, given, ours, ledger)),
    ...(await shareFaults(scene, ours)),
    ...(await statusFaults(scene, isOver)),
  ]
}

async function openRows({ world, taskId }: Scene): Promise<readonly string[]> {
  const { rows } = await world.pool.query<{ purpose: string; status: string; attempts: number }>(
    "select purpose, status, attempts from settlements where task_id = $1 and status in ('claimed', 'in_doubt')",
    [taskId],
  )
  return rows.map(({ purpose, status, attempts }) => `the ${purpose} is ${status} after ${String(attempts)} attempts`)
}

async function paymentFaults(
  { world, signed }: Scene,
  given: ReadonlySet<string>,
  ledger: ReadonlyMap<string, bigint>,
  isOver: boolean,
): Promise<readonly string[]> {
  const faults: string[] = []
  for (const [index, { hash }] of signed.entries()) {
    const { capturable } = await stateOf(world, hash)
    const booked = ledger.get(`escrow:${hash}`) ?? 0n
    const expected = given.has(hash) ? capturable : 0n
    if (booked !== expected)
      faults.push(`payment ${String(index + 1)}: the ledger holds ${String(booked)}, the chain ${String(expected)}`)
    if (isOver && given.has(hash) && capturable > 0n)
      faults.push(`payment ${String(index + 1)} of a task that is over still holds ${String(capturable)}`)
  }
  return faults
}

const usesOf = ({ world, fromBlock }: Scene, nonce: string): Promise<readonly Log[]> =>
  logsOf(world, fromBlock, token, [usedTopic, null, nonce])

/** Our rows account for what our payments moved, and for nothing else that the parties did with their money. */
async function walletFaults(
  scene: Scene,
  given: ReadonlySet<string>,
  ours: readonly Moved[],
  ledger: ReadonlyMap<string, bigint>,
): Promise<readonly string[]> {
  const txs = new Set(ours.map(({ txHash }) => txHash))
  for (const { nonce } of scene.transfers.filter((one) => given.has(one.nonce))) {
    for (const log of await usesOf(scene, nonce)) txs.add(log.transactionHash)
  }
  const faults: string[] = []
  for (const [name, { address }] of [
    ['payer', scene.payer],
    ['worker 0', scene.workers[0]],
    ['worker 1', scene.workers[1]],
  ] as const) {
    const chain = (await transfersOf(scene, address))
      .filter(({ txHash }) => txs.has(txHash))
      .reduce((sum, { atomic }) => sum + atomic, 0n)
    const booked = ledger.get(`wallet:${address}`) ?? 0n
    if (booked !== chain) faults.push(`${name}: the ledger says ${String(booked)}, the chain ${String(chain)}`)
  }
  return faults
}

/** 87 % to the worker, 13 % to the operator; and what we sent ourselves never pays a task twice. */
async function shareFaults(scene: Scene, ours: readonly Moved[]): Promise<readonly string[]> {
  const faults = ours
    .filter(({ kind, feeBps }) => (kind === 'captured' || kind === 'charged') && feeBps !== 1_300n)
    .map(({ feeBps }) => `${String(feeBps)} basis points were kept`)
  const bySelf = new Set<string>()
  for (const { txHash } of ours) {
    const sent = (await scene.world.node('eth_getTransactionByHash', txHash)) as { readonly from: string } // a transaction of EIP-1474
    if (sent.from === localRoles.facilitator.address.toLowerCase() && !scene.orderedPast.has(txHash)) bySelf.add(txHash)
  }
  const captured = ours
    .filter(({ kind, txHash }) => kind === 'captured' && bySelf.has(txHash))
    .reduce((sum, { atomic }) => sum + atomic, 0n)
  if (captured > scene.bounty) faults.push(`we paid ${String(captured)} for a bounty of ${String(scene.bounty)}`)
  return faults
}

async function statusFaults(scene: Scene, isOver: boolean): Promise<readonly string[]> {
  const task = await scene.market.readTask(caller(scene.payer), scene.taskId)
  const restful = isOver
    ? ['completed', 'cancelled', 'expired']
    : [
        'completed',
        'cancelled',
        'expired',
        'published',
        'accepted',
        'in_progress',
        'submitted',
        'verifying',
        'disputed',
      ]
  const faults = restful.includes(task.status) ? [] : [`the task is ${task.status}`]
  return /(?:ing)$/.test(task.escrowStatus) && task.escrowStatus !== 'pending_assignment'
    ? [...faults, `the escrow is ${task.escrowStatus}`]
    : faults
}

/** Findings about this task that are not resolved, once everything was compared. */
export async function findings({ market, taskId }: Scene): Promise<readonly string[]> {
  return (await market.unresolvedFindings(500))
    .filter((one) => one.taskId === taskId)
    .map(({ kind, detail }) => `finding ${kind}: ${detail}`)
}

/** What operator and treasury hold together, on chain and in the ledger: sweeps move money between them only. */
export async function houseMoney(world: World): Promise<{ readonly chain: bigint; readonly ledger: bigint }> {
  const chain = (await balanceOf(world, operator)) + (await balanceOf(world, localRoles.treasury.address))
  const {
    rows: [row],
  } = await world.pool.query<{ balance: bigint | null }>(
    "select sum(amount_atomic)::bigint as balance from ledger where account in ('operator', 'treasury')",
  )
  return { chain, ledger: BigInt(row?.balance ?? 0n) }
}

/** Fees of payments that the market was never given: they are not in its books. */
export async function foreignFees(scene: Scene): Promise<bigint> {
  const given = await givenTo(scene)
  let fees = 0n
  for (const { hash, kind, atomic, feeBps } of await movedIn(scene)) {
    if (!given.has(hash) && (kind === 'captured' || kind === 'charged')) fees += (atomic * feeBps) / 10_000n
  }
  for (const { nonce, to, value } of scene.transfers) {
    if (
      !given.has(nonce) &&
      to === localRoles.treasury.address.toLowerCase() &&
      (await usesOf(scene, nonce)).length > 0
    )
      fees += value
  }
  return fees
}
