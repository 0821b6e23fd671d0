import type { ReactNode } from 'react'
import { taskStatuses } from '@ergon/contract'
import { Link } from '@tanstack/react-router'
import { StatusBadge } from '../../../components/status.tsx'
import { Card } from '../../../components/surface.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import type { Metrics } from './attention.tsx'
import { metricsMessages } from './messages.ts'

/** How many tasks have each status; each row leads to them. */
export function TasksByStatus({ tasks }: { readonly tasks: Metrics['tasks'] }): ReactNode {
  const say = useMessages(metricsMessages)
  const format = useFormat()
  const counted = taskStatuses.map((status) => ({ status, n: tasks[status] ?? 0 }))
  const total = counted.reduce((sum, { n }) => sum + n, 0)
  return (
    <section aria-labelledby="by-status" className="grid content-start gap-3">
      <h2 id="by-status">{say('tasks')}</h2>
      <p className="text-quiet">{say('tasksLead', { n: total })}</p>
      <Card>
        <table className="w-full text-left">
          <caption className="visually-hidden">{say('tasks')}</caption>
          <thead>
            <tr className="border-b border-line text-sm text-quiet">
              <th scope="col" className="py-2 pr-2">
                {say('status')}
              </th>
              <th scope="col" className="py-2 text-right">
                {say('count')}
              </th>
            </tr>
          </thead>
          <tbody>
            {counted.map(({ status, n }) => (
              <tr key={status} className="border-b border-line last:border-0">
                <th scope="row" className="py-2 pr-2 font-normal">
                  <StatusBadge status={status} />
                </th>
                <td className="numbers py-2 text-right">
                  {n === 0 ? (
                    <span className="text-quiet">{format.number(0)}</span>
                  ) : (
                    <Link
                      to="/admin/tasks"
                      search={{ status }}
                      className="link inline-block min-w-6 py-0.5 font-semibold"
                    >
                      {format.number(n)}
                    </Link>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
    </section>
  )
}
