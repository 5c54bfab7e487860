import { randomUUID } from 'node:crypto'
import { reviewText } from '@surehand/core/host'
import { type Html, html, page } from '@surehand/http'
import { type Day, dateIn, type ShownEntry, type ShownTask, timeIn } from './read-day.ts'

/** What became of a form, for the top of the page. */
export type Said = { readonly message: string; readonly href?: string; readonly isDone: boolean }

export const INSTALLABLE = {
  script: '/day.js',
  manifest: '/day.webmanifest',
  icon: '/day-icon.png',
}

/** The page of the day: calendar, tasks, habits, time, and a place to put in what comes to mind. */
export function dayPage(day: Day, { now, said }: { readonly now: number; readonly said?: Said }) {
  const body = html`<main id="day" data-read="${timeIn(now, day.timeZone)}">
<h1>${reviewText(day.date)}</h1>
<p class="small">All times are in ${day.timeZone}. Read at ${timeIn(now, day.timeZone)}.</p>
<div id="said" role="status">${said === undefined ? undefined : renderSaid(said)}</div>
${captureForms(day)}
${section('Calendar', day.entries, (entries) => entryList(entries, day))}
${section('Due', day.due, (tasks) => taskList(tasks, day, 'Nothing is due.'))}
${section('Habits', day.habits, (habits) => habitList(habits, day))}
${section('Next', day.next, (tasks) => taskList(tasks, day, 'No next action.'))}
${section('Time', day.work, (work) => workPart(work, day))}
</main>`
  return page(body, {
    title: 'My day',
    status: said === undefined || said.isDone ? 200 : 409,
    installable: INSTALLABLE,
  })
}

function renderSaid({ message, href, isDone }: Said): Html {
  const link = href === undefined ? undefined : html` <a href="${href}">Review it</a>`
  return html`<p class="${isDone ? 'done' : 'danger'}">${message}${link}</p>`
}

function section<T>(
  title: string,
  part: T | 'unreadable' | undefined,
  render: (value: T) => Html,
): Html | undefined {
  if (part === undefined) return undefined
  const inner =
    part === 'unreadable'
      ? html`<p class="note">This could not be read just now. Load the page again.</p>`
      : render(part as T)
  return html`<section><h2>${title}</h2>${inner}</section>`
}

/** A form of the page. Its key makes it one call, however often it is sent. */
function form(action: string, inner: Html, attributes?: Html): Html {
  return html`<form method="post" action="/day" data-day${attributes}><input type="hidden" name="do" value="${action}"><input type="hidden" name="key" value="${randomUUID()}">${inner}</form>`
}

function captureForms({ can }: Day): Html {
  const task = can('task.capture')
  const event = can('events.capture')
  if (!task && !event) return html``
  const text = html`<label for="text">Note down</label><textarea id="text" name="text" rows="2" maxlength="2000" required placeholder="call the movers tomorrow 10:00 !high"></textarea>
<div class="answers">${task ? html`<button class="yes" name="as" value="task">Add as task</button>` : undefined}${event ? html`<button name="as" value="event">Add as event</button>` : undefined}</div>`
  const photo = html`<label for="photo">Photo of a flyer</label><input id="photo" type="file" name="photo" accept="image/*" required><div class="answers"><button name="as" value="photo">Read the photo</button></div>`
  return html`${form('capture', text)}${event ? form('photo', photo, html` enctype="multipart/form-data"`) : undefined}`
}

function entryList(entries: readonly ShownEntry[], { timeZone, date }: Day): Html {
  if (entries.length === 0)
    return html`<p>Nothing is in the calendar today. <a href="/calendar">The next four weeks</a></p>`
  return html`<ul class="list">${entries.map((entry) => html`<li>${entryLine(entry, timeZone, date)}</li>`)}</ul><p><a href="/calendar">The next four weeks</a></p>`
}

/** An entry in the zone of the page, whatever zone it was written in. */
export function entryLine(entry: ShownEntry, timeZone: string, date: string): Html {
  const { start, end, summary, location } = entry
  const at = (text: string): string => timeIn(Date.parse(text), timeZone)
  const isWholeDay = start.dateTime.length === 10
  const begins = dateIn(Date.parse(start.dateTime), timeZone)
  const when = isWholeDay
    ? 'all day'
    : begins < date
      ? `until ${at(end.dateTime)}`
      : `${at(start.dateTime)}–${at(end.dateTime)}`
  return html`<b>${when}</b> ${summary}${location === undefined ? undefined : html` <span class="small">${location}</span>`}`
}

function taskList(tasks: readonly ShownTask[], { can, timeZone, date }: Day, none: string): Html {
  if (tasks.length === 0) return html`<p>${none}</p>`
  return html`<ul class="list">${tasks.map((task) => taskRow(task, { timeZone, date, mayComplete: can('task.complete') }))}</ul>`
}

function taskRow(
  { id, title, due, overdue, context, priority }: ShownTask,
  { timeZone, date, mayComplete }: { timeZone: string; date: string; mayComplete: boolean },
): Html {
  const facts = [
    overdue ? 'overdue' : '',
    due === undefined ? '' : dueText(due, timeZone, date),
    priority === 'high' ? 'high priority' : '',
    context === undefined ? '' : `@${context}`,
  ].filter((fact) => fact !== '')
  const words = html`<span>${title}${facts.length === 0 ? undefined : html` <span class="small">${facts.join(', ')}</span>`}</span>`
  return mayComplete
    ? html`<li>${form('done', html`<input type="hidden" name="id" value="${id}">${words}<button aria-label="Done: ${title}">Done</button>`, html` class="row"`)}</li>`
    : html`<li>${words}</li>`
}

// A time that was given in another zone is shown in that of the page.
function dueText(
  { day, time, at }: NonNullable<ShownTask['due']>,
  timeZone: string,
  date: string,
): string {
  const ms = at === undefined ? undefined : Date.parse(at)
  const shownDay = ms === undefined ? day : dateIn(ms, timeZone)
  const shownTime = ms === undefined ? time : timeIn(ms, timeZone)
  const words = shownDay === date ? 'today' : reviewText(shownDay)
  return shownTime === undefined ? words : `${words} ${shownTime}`
}

function habitList(habits: Exclude<Day['habits'], string | undefined>, { can }: Day): Html {
  const done = habits.done.map(({ name }) => name).join(', ')
  const rows = habits.due.map(({ id, name, reminder_time, current_streak, streak_unit }) => {
    const facts = [
      reminder_time ?? '',
      current_streak === 0 ? '' : `${current_streak} ${streak_unit} in a row`,
    ].filter((fact) => fact !== '')
    const words = html`<span>${name}${facts.length === 0 ? undefined : html` <span class="small">${facts.join(', ')}</span>`}</span>`
    return can('habit.record_completion')
      ? html`<li>${form('habit', html`<input type="hidden" name="id" value="${name}">${words}<button aria-label="Done: ${name}">Done</button>`, html` class="row" data-id="${id}"`)}</li>`
      : html`<li>${words}</li>`
  })
  return html`${rows.length === 0 ? html`<p>${done === '' ? 'No habit yet.' : 'All done.'}</p>` : html`<ul class="list">${rows}</ul>`}${done === '' ? undefined : html`<p class="small">Done: ${done}.</p>`}`
}

function workPart(work: Exclude<Day['work'], string | undefined>, { date, can }: Day): Html {
  const minutes = work.by_day.find(({ day }) => day === date)?.minutes ?? 0
  const goal = work.goal_minutes_a_day > 0 ? ` of ${work.goal_minutes_a_day} minutes` : ' minutes'
  const total = html`<p>${minutes}${goal} of deep work today.</p>`
  if (!can('time.deep_work_start')) return total
  return work.running === undefined
    ? html`${total}${form('start', html`<label for="subject">Work on</label><input type="text" id="subject" name="text" maxlength="200" required><div class="answers"><button>Start</button></div>`)}`
    : html`${total}${form('stop', html`<span>${work.running.subject}, for ${work.running.minutes} minutes</span><button>Stop</button>`, html` class="row"`)}`
}
