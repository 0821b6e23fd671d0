import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  stringifySearchWith,
} from '@tanstack/react-router'
import { Crashed } from './components/crashed.tsx'
import { Shell } from './shell/shell.tsx'
import { readSearch } from './lib/search.ts'
import { rememberWay } from './lib/way-back.ts'

const NotFound = lazyRouteComponent(() => import('./components/not-found.tsx'), 'NotFound')
const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })
const getParentRoute = (): typeof root => root

/**
 * Every screen by its address; each is loaded when it is first gone to. What an address says behind `?` is read by
 * `readSearch`.
 */
const screens = [
  createRoute({
    getParentRoute,
    path: '/',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/home.tsx'), 'HomeScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/find',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/discover.tsx'), 'DiscoverScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/map',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/discover-map.tsx'), 'DiscoverMapScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/tasks/$taskId',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/task.tsx'), 'TaskScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/publish',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/publish.tsx'), 'PublishScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/publish/many',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/publish-many.tsx'), 'PublishManyScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/my/tasks',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/my-tasks.tsx'), 'MyTasksScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/my/tasks/$taskId',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/manage-task.tsx'), 'ManageTaskScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/my/tasks/$taskId/review',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/review.tsx'), 'ReviewScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/my/spend',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/spend.tsx'), 'SpendScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/work',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/my-work.tsx'), 'MyWorkScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/work/$taskId/submit',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/submit.tsx'), 'SubmitScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/submissions/$submissionId',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/submission.tsx'), 'SubmissionScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/earnings',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/earnings.tsx'), 'EarningsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/receipts/$taskId',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/receipt.tsx'), 'ReceiptScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/profile',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/profile.tsx'), 'ProfileScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/account',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/account.tsx'), 'AccountScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/account/tools',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/tools.tsx'), 'ToolsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/people/$workerId',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/person.tsx'), 'PersonScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/publishers/$wallet',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/publisher.tsx'), 'PublisherScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/agents',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/agents.tsx'), 'AgentsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/leaderboard',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/leaderboard.tsx'), 'LeaderboardScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/services',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/services.tsx'), 'ServicesScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/services/$listingId',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/service.tsx'), 'ServiceScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/my/services',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/my-services.tsx'), 'MyServicesScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/sessions',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/sessions.tsx'), 'SessionsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/activity',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/activity.tsx'), 'ActivityScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/notifications',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/notifications.tsx'), 'NotificationsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/webhooks',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/webhooks.tsx'), 'WebhooksScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/webhooks/$webhookId',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/webhook.tsx'), 'WebhookScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/developers.tsx'), 'DevelopersScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/disputes',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/disputes.tsx'), 'DisputesScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/disputes/$disputeId',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/dispute.tsx'), 'DisputeScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/admin.tsx'), 'AdminScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/tasks',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/admin-tasks.tsx'), 'AdminTasksScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/workers',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/admin-workers.tsx'), 'AdminWorkersScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/reports',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/admin-reports.tsx'), 'AdminReportsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/money',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/admin-money.tsx'), 'AdminMoneyScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/settings',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/admin-settings.tsx'), 'AdminSettingsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/audit',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/admin-audit.tsx'), 'AdminAuditScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/status',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/status.tsx'), 'StatusScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/sign-in',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./routes/sign-in.tsx'), 'SignInScreen'),
  }),
] as const

export function createAppRouter(): Router {
  // Every field is a text: written as it is, so that a person can read and type an address.
  const search = { parseSearch: parseSearchWith((text) => text), stringifySearch: stringifySearchWith(String) }
  const router = createRouter({
    routeTree: root.addChildren(screens),
    ...search,
    defaultPreload: 'intent',
    // What was typed or done about one task or person is nothing of the next one at an address of the same kind.
    defaultRemountDeps: ({ params }) => params,
    defaultErrorComponent: Crashed,
    scrollRestoration: true,
  })
  // Where there is no browser there is no history; its type does not say so.
  if (typeof document !== 'undefined') rememberWay(router.history)
  return router
}

type Router = ReturnType<typeof createRouter<ReturnType<typeof root.addChildren<typeof screens>>>>

declare module '@tanstack/react-router' {
  interface Register {
    router: Router
  }
}
