import type { ReactNode } from 'react'
import { taskStatuses } from '@ergon/contract'
import { getRouteApi } from '@tanstack/react-router'
import { Failure } from '../components/failure.tsx'
import { OperatorGate } from '../components/operator-gate.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { Loading } from '../components/surface.tsx'
import { AdminNav } from '../features/admin/admin-nav.tsx'
import { askedOf, perPage, placeOf, searchFrom } from '../features/admin/list-address.ts'
import { ListFilters, NothingFound } from '../features/admin/list-filters.tsx'
import { ForceDialog } from '../features/admin/tasks/force-dialog.tsx'
import { adminTaskMessages } from '../features/admin/tasks/messages.ts'
import { TaskRow } from '../features/admin/tasks/task-row.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { useOperatorRead } from '../lib/operator.tsx'
import { useCloseDialog } from '../lib/way-back.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { wordMessages } from '../messages/words.ts'

const route = getRouteApi('/admin/tasks')
const everyMs = 15_000

/** Every task, whatever its status, and the way to put one into another by hand (spec §5.10). */
export function AdminTasksScreen(): ReactNode {
  const say = useMessages(adminTaskMessages)
  return (
    <Page title={say('title')} lead={say('lead')} wide>
      <OperatorGate>
        <AdminNav />
        <Tasks />
      </OperatorGate>
    </Page>
  )
}

function Tasks(): ReactNode {
  const say = useMessages(adminTaskMessages)
  const words = useMessages(wordMessages)
  const search = route.useSearch()
  const closeDialog = useCloseDialog()
  const here = searchFrom(search, placeOf(search['from']))
  return (
    <div className="grid gap-4">
      <ListFilters
        to="/admin/tasks"
        search={search}
        statuses={taskStatuses.map((status) => [status, words(`status.${status}`)])}
        searchHint={say('searchHint')}
      />
      <section aria-labelledby="found" className="grid gap-4">
        <h2 id="found" className="visually-hidden">
          {say('title')}
        </h2>
        <Found />
      </section>
      <ForceDialog
        taskId={search['force']}
        onClose={() => {
          closeDialog({ to: '/admin/tasks', search: here })
        }}
      />
    </div>
  )
}

function Found(): ReactNode {
  const say = useMessages(adminTaskMessages)
  const common = useMessages(commonMessages)
  const search = route.useSearch()
  const offset = placeOf(search['from'])
  const { data, error, refetch } = useOperatorRead('admin.tasks', askedOf(search, taskStatuses), {
    refetchInterval: everyMs,
  })
  if (data === undefined)
    return error === null ? (
      <Loading says={common('loading')} />
    ) : (
      <Failure
        error={error}
        retry={() => {
          void refetch()
        }}
      />
    )
  return (
    <>
      {error !== null && (
        <Failure
          error={error}
          retry={() => {
            void refetch()
          }}
        />
      )}
      <p role="status" className="text-quiet">
        {say('found', { n: data.total })}
      </p>
      {data.tasks.length === 0 ? (
        <NothingFound to="/admin/tasks" search={search} none={say('none')} noneAtAll={say('noneAtAll')} />
      ) : (
        <ul className="divide-y divide-line rounded-card border border-line bg-surface">
          {data.tasks.map((task) => (
            <TaskRow key={task.id} task={task} here={searchFrom(search, offset)} />
          ))}
        </ul>
      )}
      <Pager
        previous={
          offset === 0 ? undefined : { to: '/admin/tasks', search: searchFrom(search, Math.max(0, offset - perPage)) }
        }
        next={data.has_more ? { to: '/admin/tasks', search: searchFrom(search, offset + perPage) } : undefined}
      />
    </>
  )
}
