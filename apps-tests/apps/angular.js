import '@angular/compiler'
import { Component, provideZonelessChangeDetection, signal } from '@angular/core'
import { FormsModule } from '@angular/forms'
import { bootstrapApplication } from '@angular/platform-browser'

class Todo {
  items = signal([])
  filter = signal('all')
  upper = signal('')
  letters = signal('')
  note = signal('')
  sent = signal([])
  fresh = ''
  who = ''
  hovered = signal(null)
  editing = signal(null)

  constructor() {
    Object.defineProperty(window, 'state', {
      get: () => Object.fromEntries(['items', 'filter', 'upper', 'letters', 'note', 'sent'].map(name => [name, this[name]()])),
    })
  }
  shown() {
    return this.items().filter(item => this.filter() === 'all' || item.done === (this.filter() === 'completed'))
  }
  add() {
    const text = this.fresh.trim()
    if (text) this.items.update(items => [...items, { id: items.length, text, done: false }])
    this.fresh = ''
  }
  change(item, to) {
    this.items.update(items => items.map(other => (other.id === item.id ? { ...other, ...to } : other)))
  }
  remove(item) {
    this.items.update(items => items.filter(other => other !== item))
  }
  edit(item) {
    this.editing.set(item.id)
    setTimeout(() => document.querySelector('[aria-label="Edit todo"]')?.focus())
  }
  leave(item, event, keep) {
    if (this.editing() !== item.id) return
    this.editing.set(null)
    if (keep) this.change(item, { text: event.target.value })
  }
  refuse(event) {
    if (/\d/.test(event.target.value)) event.target.value = this.letters()
    else this.letters.set(event.target.value)
  }
  send() {
    this.sent.update(sent => [...sent, this.who])
    this.who = ''
  }
}

const TodoComponent = Component({
  selector: '#app',
  imports: [FormsModule],
  template: `<h1>todos</h1><input aria-label="New todo" [(ngModel)]="fresh" (keyup.enter)="add()">
    <ul>@for (item of shown(); track item.id) {
      <li [class.done]="item.done" (mouseenter)="hovered.set(item.id)" (mouseleave)="hovered.set(null)">
        <input type="checkbox" class="toggle" aria-label="Done" [checked]="item.done" (change)="change(item, { done: $any($event.target).checked })">
        @if (editing() === item.id) {
          <input aria-label="Edit todo" [value]="item.text" (blur)="leave(item, $event, true)" (keydown.enter)="leave(item, $event, true)" (keydown.escape)="leave(item, $event, false)">
        } @else {
          <span class="text" (dblclick)="edit(item)">{{ item.text }}</span>
        }
        @if (hovered() === item.id) { <button class="delete" (click)="remove(item)">Delete</button> }
      </li>
    }</ul>
    <label>Show <select [ngModel]="filter()" (ngModelChange)="filter.set($event)"><option value="all">All</option><option value="active">Active</option><option value="completed">Completed</option></select></label>
    <label>Upper <input [ngModel]="upper()" (ngModelChange)="upper.set($event.toUpperCase())"></label>
    <label>Letters <input [value]="letters()" (input)="refuse($event)"></label>
    <label>Note <input [ngModel]="note()" [ngModelOptions]="{ updateOn: 'blur' }" (ngModelChange)="note.set($event)"></label>
    <form (ngSubmit)="send()"><label>Your name <input name="who" [(ngModel)]="who"></label><button>Send</button></form>`,
})(Todo)

bootstrapApplication(TodoComponent, { providers: [provideZonelessChangeDetection()] })
