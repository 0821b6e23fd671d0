import type { ReactNode } from 'react'
import { taskStatuses } from '@ergon/contract'
import { getRouteApi } from '@tanstack/react-router'
import { OperatorGate } from '../components/operator-gate.tsx'
import { Page } from '../components/page.tsx'
import { AdminNav } from '../features/admin/admin-nav.tsx'
import { askedOf, placeOf, searchFrom } from '../features/admin/list-address.ts'
import { FoundList } from '../features/admin/found-list.tsx'
import { ListFilters } from '../features/admin/list-filters.tsx'
import { ForceDialog } from '../features/admin/tasks/force-dialog.tsx'
import { adminTaskMessages } from '../features/admin/tasks/messages.ts'
import { TaskRow } from '../features/admin/tasks/task-row.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { useOperatorRead } from '../lib/operator.tsx'
import { useCloseDialog } from '../lib/way-back.ts'
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
  const search = route.useSearch()
  const read = useOperatorRead('admin.tasks', askedOf(search, taskStatuses), { refetchInterval: everyMs })
  return (
    <FoundList
      read={read}
      to="/admin/tasks"
      search={search}
      say={({ total }) => ({ found: say('found', { n: total }), none: say('none'), noneAtAll: say('noneAtAll') })}
      rows={({ tasks }) =>
        tasks.length === 0 ? null : (
          <ul className="divide-y divide-line rounded-card border border-line bg-surface">
            {tasks.map((task) => (
              <TaskRow key={task.id} task={task} here={searchFrom(search, placeOf(search['from']))} />
            ))}
          </ul>
        )
      }
    />
  )
}
