// The build replaces these globals by the captured ones: a page that declares `class Map {}` would shadow the built-in.
const { Array: ArrayHere, JSON: JsonHere, Map: MapHere, Math: MathHere, Number: NumberHere, Object: ObjectHere, Set: SetHere } = globalThis

export {
  ArrayHere as Array,
  JsonHere as JSON,
  MapHere as Map,
  MathHere as Math,
  NumberHere as Number,
  ObjectHere as Object,
  SetHere as Set,
}
