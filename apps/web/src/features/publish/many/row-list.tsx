import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { useExplanation } from '../../../components/failure.tsx'
import { Money } from '../../../components/money.tsx'
import { Badge, Card } from '../../../components/surface.tsx'
import { useMessages } from '../../../lib/i18n.tsx'
import { useFaultTexts } from '../../../lib/use-fault-texts.ts'
import { publishManyMessages } from './messages.ts'
import type { ReadTask } from './read-tasks.ts'
import type { PublishMany, RowState } from './use-publish-many.ts'

type ListProps = { readonly tasks: readonly ReadTask[]; readonly progress: PublishMany['progress'] }

/** What the file says, row by row: what is wrong with it, or what became of it. */
export function RowList({ tasks, progress }: ListProps): ReactNode {
  return (
    <Card>
      <ul className="rows grid">
        {tasks.map((task) =>
          Object.keys(task.faults).length > 0 ? (
            <RefusedRow key={task.line} task={task} />
          ) : (
            <Row key={task.line} task={task} state={progress.get(task.line)} />
          ),
        )}
      </ul>
    </Card>
  )
}

/** The name of its column, and not the place within a cell of several words. */
const columnOf = (field: string): string => field.replace(/\.\d+$/, '')

const textOf = ({ fields }: ReadTask, name: string): string => (typeof fields[name] === 'string' ? fields[name] : '')

function RefusedRow({ task }: { readonly task: ReadTask }): ReactNode {
  const say = useMessages(publishManyMessages)
  const says = useFaultTexts(task.faults)
  return (
    <li className="grid gap-1">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="min-w-0 font-label wrap-anywhere">
          {textOf(task, 'title') || say('row', { line: task.line })}
        </span>
        <span className="text-sm text-quiet">{say('row', { line: task.line })}</span>
      </p>
      <ul className="grid gap-0.5 text-sm text-bad">
        {Object.keys(task.faults).map((field) => (
          <li key={field}>
            {field === 'row' ? say('rowTooLong') : say('fault', { field: columnOf(field), says: says(field) ?? '' })}
          </li>
        ))}
      </ul>
    </li>
  )
}

type RowProps = { readonly task: ReadTask; readonly state: RowState | undefined }

function Row({ task, state }: RowProps): ReactNode {
  const say = useMessages(publishManyMessages)
  const bounty = task.fields['bounty_usd']
  const title = textOf(task, 'title')
  return (
    <li className="grid gap-1">
      <div className="flex items-start justify-between gap-x-4">
        <p className="min-w-0 font-label wrap-anywhere">
          {state?.state === 'posted' ? (
            <Link to="/my/tasks/$taskId" params={{ taskId: state.taskId }} className="link">
              {title}
            </Link>
          ) : (
            title
          )}
        </p>
        <span className="flex flex-none items-center gap-3">
          {state !== undefined && (
            <Badge tone={tones[state.state]} icon={icons[state.state]}>
              {say(`state.${state.state}`)}
            </Badge>
          )}
          {typeof bounty === 'number' && <Money usd={bounty} />}
        </span>
      </div>
      {state?.state === 'posted' && !state.hasPolicy && <p className="text-sm text-warn">{say('policyFailed')}</p>}
      {state?.state === 'refused' && <Refusal error={state.error} />}
    </li>
  )
}

const tones = { posting: 'move', posted: 'good', refused: 'bad' } as const
const icons = { posting: 'arrows-clockwise-bold', posted: 'check-circle-fill', refused: 'x-circle-bold' } as const

function Refusal({ error }: { readonly error: unknown }): ReactNode {
  const told = useExplanation(error)
  return told === undefined ? null : <p className="text-sm text-bad">{`${told.says} ${told.doNow}`}</p>
}
