import type { ReactNode } from 'react'
import { runConfigKeys } from '@ergon/contract'
import { Link } from '@tanstack/react-router'
import { Address } from '../../../components/address.tsx'
import { Badge, type Tone } from '../../../components/surface.tsx'
import { Moment } from '../../../components/time.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import { commonMessages } from '../../../messages/common-messages.ts'
import { KnownPerson } from '../known-person.tsx'
import { settingsMessages } from '../settings/messages.ts'
import { changesOf, type AuditLine, type Change } from './changes-of.ts'
import { auditMessages } from './messages.ts'
import { useTold } from './use-told.ts'

const tones: Readonly<Record<AuditLine['action'], Tone>> = {
  'task.force': 'warn',
  'task.elapse': 'warn',
  'wallet.ban': 'bad',
  'wallet.unban': 'good',
  'fees.sweep': 'brand',
  'config.set': 'brand',
  'dispute.resolve': 'warn',
  'dispute.read': 'brand',
  'report.decide': 'warn',
}

/** Who did what to what, from what to what, and why. */
export function AuditList({
  lines,
  subject,
}: {
  readonly lines: readonly AuditLine[]
  readonly subject: string | undefined
}): ReactNode {
  const say = useMessages(auditMessages)
  return (
    <ol aria-label={say('list')} className="divide-y divide-line rounded-card border border-line bg-surface">
      {lines.map((line) => (
        <AuditRow key={line.id} line={line} isOnly={subject === line.subject} />
      ))}
    </ol>
  )
}

function AuditRow({ line, isOnly }: { readonly line: AuditLine; readonly isOnly: boolean }): ReactNode {
  const say = useMessages(auditMessages)
  const told = useTold()(line)
  return (
    <li className="grid gap-x-6 gap-y-2 p-4 sm:px-5 lg:grid-cols-[13rem_minmax(0,1fr)_12rem]">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 lg:block">
        <Badge tone={tones[line.action]}>{say(`action.${line.action}`)}</Badge>
      </div>
      <div className="grid min-w-0 content-start gap-1">
        <Subject line={line} />
        {told !== undefined && <p className="numbers wrap-anywhere">{told}</p>}
        <p className="wrap-anywhere">
          <span className="text-quiet">{say('reason')}:</span> {line.reason}
        </p>
      </div>
      <p className="flex flex-wrap content-start items-center gap-x-3 text-sm text-quiet wrap-anywhere lg:flex-col lg:flex-nowrap lg:items-end">
        <span>{say('by', { actor: line.actor })}</span>
        <Moment at={line.at} />
        {!isOnly && (
          <Link
            to="/admin/audit"
            search={{ subject: line.subject }}
            className="link inline-flex min-h-6 items-center text-sm"
          >
            {say('onlyThis')}
            <span className="visually-hidden">{`: ${line.subject}`}</span>
          </Link>
        )}
      </p>
      <div className="lg:col-start-2 lg:col-end-4">
        <Raw line={line} />
      </div>
    </li>
  )
}

/** The line as it was written, for whoever checks it. */
function Raw({ line }: { readonly line: AuditLine }): ReactNode {
  const say = useMessages(auditMessages)
  const format = useFormat()
  return (
    <details className="fold text-sm">
      <summary>
        {say('details')}
        <span className="visually-hidden">{`: ${line.subject}`}</span>
      </summary>
      <div className="grid gap-2 pb-1">
        <p className="font-mono wrap-anywhere">{line.subject}</p>
        <ul className="numbers grid gap-1 font-mono wrap-anywhere">
          {changesOf(line).map((change) => (
            <ChangeRow key={change.name} change={change} isSetting={line.action === 'config.set'} />
          ))}
        </ul>
        <p className="flex flex-wrap gap-x-3 text-quiet wrap-anywhere">
          <span>{format.dateTime(line.at)}</span>
          <span>
            {say('request')} <Address value={line.request_id} />
          </span>
        </p>
      </div>
    </details>
  )
}

/** What it was done to, with the way there where the app has one. */
function Subject({ line: { action, subject } }: { readonly line: AuditLine }): ReactNode {
  const link = 'link inline-flex min-h-6 min-w-0 items-center font-label'
  if (action === 'task.force' || action === 'task.elapse')
    return (
      <Link to="/tasks/$taskId" params={{ taskId: subject }} className={link}>
        <Address value={subject} />
      </Link>
    )
  if (action === 'dispute.resolve')
    return (
      <Link to="/disputes/$disputeId" params={{ disputeId: subject }} className={link}>
        <Address value={subject} />
      </Link>
    )
  if (action === 'wallet.ban' || action === 'wallet.unban')
    return (
      <Link to="/publishers/$wallet" params={{ wallet: subject }} className="min-w-0 hover:underline">
        <KnownPerson wallet={subject} />
      </Link>
    )
  if (action === 'report.decide')
    return (
      <Link to="/admin/reports" className={link}>
        <Address value={subject} />
      </Link>
    )
  if (action === 'fees.sweep')
    return (
      <Link to="/admin/money" className={link}>
        {subject}
      </Link>
    )
  return (
    <Link to="/admin/settings" className={`${link} [overflow-wrap:anywhere]`}>
      <SettingName of={subject} />
    </Link>
  )
}

/** What the settings page calls it; a setting of an older release by its key. */
function SettingName({ of: key }: { readonly of: string }): ReactNode {
  const say = useMessages(settingsMessages)
  const known = runConfigKeys.find((one) => one === key)
  return known === undefined ? key : say(`name.${known}`)
}

function ChangeRow({
  change: { name, before, after },
  isSetting,
}: {
  readonly change: Change
  readonly isSetting: boolean
}): ReactNode {
  const say = useMessages(auditMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  const text = (value: NonNullable<Change['before']> | null): string => {
    if (value === null) return say(isSetting ? 'asDeployed' : 'nothing')
    if (typeof value === 'boolean') return common(value ? 'yes' : 'no')
    return typeof value === 'number' ? format.number(value, { maximumFractionDigits: 6 }) : value
  }
  if (before === undefined) return <li>{say('is', { name, after: text(after ?? null) })}</li>
  if (after === undefined) return <li>{say('was', { name, before: text(before) })}</li>
  return <li>{say('from', { name, before: text(before), after: text(after) })}</li>
}
