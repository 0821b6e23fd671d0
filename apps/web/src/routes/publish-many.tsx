import { useState, type ReactNode } from 'react'
import { Button, buttonClass, LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { TextField } from '../components/field.tsx'
import { Icon } from '../components/icon.tsx'
import { Page } from '../components/page.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Card, Note } from '../components/surface.tsx'
import { Columns } from '../features/publish/many/columns.tsx'
import { exampleRows } from '../features/publish/many/example-rows.ts'
import { publishManyMessages } from '../features/publish/many/messages.ts'
import {
  columns,
  mostBytes,
  mostTasks,
  readTasks,
  totalOf,
  type ReadTask,
  type Table,
} from '../features/publish/many/read-tasks.ts'
import { RowList } from '../features/publish/many/row-list.tsx'
import { usePublishMany } from '../features/publish/many/use-publish-many.ts'
import { csvOf, saveAs } from '../lib/csv.ts'
import { useFormat } from '../lib/format.ts'
import { useMessages, useSpeech } from '../lib/i18n.tsx'
import { useSession } from '../wallet/wallet.tsx'

/** Many tasks from a table: each row is seen before anything is posted, and posted once. */
export function PublishManyScreen(): ReactNode {
  const say = useMessages(publishManyMessages)
  const { wallet } = useSession()
  return (
    <Page title={say('title')} lead={say('lead')}>
      {wallet === null && <SignedOut what={say('signedOut')} />}
      {wallet === undefined && <SessionUnknown />}
      {typeof wallet === 'string' && <FromTable />}
    </Page>
  )
}

function FromTable(): ReactNode {
  const say = useMessages(publishManyMessages)
  const { locale } = useSpeech()
  const rows = exampleRows(say)
  const [table, setTable] = useState<{ readonly read: Table; readonly nth: number }>()
  const choose = (file: File | undefined): void => {
    if (file === undefined) return
    const put = (read: Table): void => {
      setTable((last) => ({ read, nth: (last?.nth ?? 0) + 1 }))
    }
    if (file.size > mostBytes) put({ state: 'tooLarge' })
    else
      void file.text().then(
        (text) => {
          put(readTasks(text, locale))
        },
        () => {
          put({ state: 'unread' })
        },
      )
  }
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <label className={buttonClass(table?.read.state === 'read' ? 'secondary' : 'primary', 'file-btn relative')}>
          {say(table === undefined ? 'choose' : 'another')}
          <input
            type="file"
            accept=".csv,text/csv"
            className="visually-hidden"
            onChange={({ target }) => {
              choose(target.files?.[0])
              // The same file, mended, is chosen again.
              target.value = ''
            }}
          />
        </label>
        <Button
          kind="quiet"
          onClick={() => {
            saveAs('tasks.csv', csvOf([columns, ...rows]), 'text/csv')
          }}
        >
          <Icon name="download-simple-bold" /> {say('template')}
        </Button>
      </div>
      {table !== undefined &&
        (table.read.state === 'read' ? (
          <Preview key={table.nth} tasks={table.read.tasks} />
        ) : (
          <Note tone="bad" role="alert">
            <p>
              {say(`fault.${table.read.state}`, {
                most: mostTasks,
                columns: 'columns' in table.read ? table.read.columns.join(', ').slice(0, 200) : '',
              })}
            </p>
          </Note>
        ))}
      <Columns example={rows[0]} />
    </>
  )
}

function Preview({ tasks }: { readonly tasks: readonly ReadTask[] }): ReactNode {
  const say = useMessages(publishManyMessages)
  const format = useFormat()
  const [batch, setBatch] = useState('')
  const { progress, isRunning, error, run, stop } = usePublishMany()
  const right = tasks.filter(({ faults }) => Object.keys(faults).length === 0)
  const posted = right.filter(({ line }) => progress.get(line)?.state === 'posted').length
  const isDone = right.length > 0 && posted === right.length
  const hasBegun = progress.size > 0
  return (
    <>
      <Card as="section" className="grid gap-4">
        <div className="grid gap-1">
          <h2>{say('total', { n: right.length, amount: format.usd(totalOf(right)) })}</h2>
          <p className="text-quiet">{say('totalSays')}</p>
        </div>
        {right.length < tasks.length && (
          <Note tone="warn">
            <p>{say('leftOut', { n: tasks.length - right.length })}</p>
          </Note>
        )}
        {!hasBegun && (
          <TextField
            label={say('batch')}
            hint={say('batchHint')}
            maxLength={60}
            autoComplete="off"
            value={batch}
            onChange={({ target }) => {
              setBatch(target.value)
            }}
          />
        )}
        <p role="status" className="text-quiet empty:hidden">
          {isDone ? say('done', { n: posted }) : hasBegun ? say('progress', { done: posted, all: right.length }) : ''}
        </p>
        {error !== undefined && <Failure error={error} />}
        <div className="flex flex-wrap gap-3">
          {right.length > 0 && !isDone && (
            <Button
              kind="primary"
              busy={isRunning}
              onClick={() => {
                void run(right, batch)
              }}
            >
              {hasBegun ? say('goOn') : say('post', { n: right.length })}
            </Button>
          )}
          {isRunning && <Button onClick={stop}>{say('stop')}</Button>}
          {isDone && (
            <LinkButton to="/my/tasks" kind="primary">
              {say('toTasks')}
            </LinkButton>
          )}
        </div>
      </Card>
      <RowList tasks={tasks} progress={progress} />
    </>
  )
}
