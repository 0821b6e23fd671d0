import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import { ReadFault } from '../components/read-fault.tsx'
import { Loading, Note } from '../components/surface.tsx'
import { AskedFor } from '../features/disputes/asked-for.tsx'
import { DisputeFacts, Statements, type Dispute } from '../features/disputes/dispute-view.tsx'
import { NotForYou } from '../features/disputes/not-for-you.tsx'
import { Outcome } from '../features/disputes/outcome.tsx'
import { Rule } from '../features/disputes/rule.tsx'
import { ruleMessages } from '../features/disputes/rule-messages.ts'
import { conditionsOf } from '../features/disputes/ruling-draft.ts'
import { useMayRule } from '../features/disputes/use-may-rule.ts'
import { HandedInForArbiter } from '../features/review/handed-in.tsx'
import { RulingCard } from '../features/settle/ruling-card.tsx'
import { useRuling } from '../features/settle/use-ruling.ts'
import { TalkForArbiter } from '../features/talk/talk.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { readOnce } from '../lib/read-once.ts'
import { commonMessages } from '../messages/common-messages.ts'

type Task = Output<'tasks.get'>

/** One dispute as an arbiter with a wallet reads it, and the ruling (decision 0168). */
export function DisputeForArbiter({
  dispute,
  taskRead,
}: {
  readonly dispute: Dispute
  readonly taskRead: Pick<UseQueryResult<Task>, 'data' | 'error' | 'refetch'>
}): ReactNode {
  const { data: task } = taskRead
  const say = useMessages(ruleMessages)
  const common = useMessages(commonMessages)
  const read = useRuling(dispute.id, readOnce)
  const { ruling, error } = read
  const mayRule = useMayRule(dispute.id)
  const isToRule = ruling === null && dispute.status === 'open'
  return (
    <>
      <Note icon="scales-bold" title={say('reading')}>
        <p>{say('readingHelp')}</p>
      </Note>
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_24rem]">
        <div className="grid min-w-0 gap-6">
          {task !== undefined ? (
            <AskedFor instructions={task.instructions} />
          ) : taskRead.error === null ? (
            <Loading says={common('loading')} />
          ) : (
            <ReadFault of={taskRead} />
          )}
          <Statements dispute={dispute} task={task} reader="arbiter" />
          <HandedInForArbiter submissionId={dispute.submission_id} />
          <TalkForArbiter taskId={dispute.task_id} />
        </div>
        <div className={`grid min-w-0 gap-6 ${ruling || dispute.status !== 'open' ? 'max-lg:order-first' : ''}`}>
          <Outcome dispute={dispute} task={task} />
          {ruling && <RulingCard ruling={ruling} mayAppeal={false} />}
          {ruling === undefined && error === null && <Loading says={common('loading')} rows={1} />}
          <ReadFault of={read} />
          {isToRule && mayRule === false && <NotForYou why="kin" />}
          {/* Nobody rules without having read what was asked for. */}
          {isToRule && mayRule !== false && task !== undefined && (
            <Rule dispute={dispute} conditions={conditionsOf(dispute.criteria, task.instructions)} />
          )}
          <DisputeFacts dispute={dispute} task={task} reader="arbiter" />
        </div>
      </div>
    </>
  )
}
