package golang

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
)

// payloads prints payloads.gen.go: what each operation takes with the types that are its own, and then the schemas,
// each once, with theirs. Where that gets too long, the schemas are in schemas.gen.go; and where that does, in a
// file for each letter.
func (p *Plan) payloads(pkg string) ([]File, error) {
	var operations, schemas []piece
	for _, op := range p.operations {
		operations = append(operations, piece{segment(op.Endpoint), op.printPayload})
	}
	for _, s := range p.schemas {
		schemas = append(schemas, piece{letter(s.name), s.print})
	}
	parts, err := inParts(pkg, "payloads", operations)
	if err != nil {
		return nil, err
	}
	shared, err := inParts(pkg, "schemas", schemas)
	if err != nil {
		return nil, err
	}
	if !p.tooLong(slices.Concat(parts, shared)) || len(schemas) == 0 {
		return p.gathered(pkg, "payloads", slices.Concat(operations, schemas), parts)
	}
	if parts, err = p.gathered(pkg, "payloads", operations, parts); err != nil {
		return nil, err
	}
	shared, err = p.gathered(pkg, "schemas", schemas, shared)
	return append(parts, shared...), err
}

func (op *operation) printPayload(f *jen.File) {
	op.payload.print(f)
	for _, s := range op.parts {
		s.print(f)
	}
	printAll(f, op.types)
}

func (s schema) print(f *jen.File) { printAll(f, s.types) }

func printAll(f *jen.File, types []declaration) {
	for _, d := range types {
		d.print(f)
	}
}

func (s *structType) print(f *jen.File) {
	add(f, comments(s.doc...)...)
	var fields []jen.Code
	for _, fl := range s.fields {
		fields = append(fields, comments(wrap(prose(fl.doc), fieldLines)...)...)
		fields = append(fields, fl.code())
	}
	if s.extra != nil {
		fields = append(fields, jen.Id("Extra").Add(s.extra.code()).Tag(map[string]string{"json": "-"}))
	}
	f.Type().Id(s.name).Struct(fields...)
	if !s.methods {
		return
	}
	result := jen.Params(jen.Index().Byte(), jen.Error())
	add(f,
		jen.Func().Params(jen.Id("v").Id(s.name)).Id("MarshalJSON").Params().Add(result).
			Add(oneLine(jen.Return(jen.Qual(canonPath, "Marshal").Call(jen.Id("v"))))),
		jen.Func().Params(jen.Id("v").Op("*").Id(s.name)).Id("UnmarshalJSON").Params(jen.Id("data").Index().Byte()).Error().
			Add(oneLine(jen.Return(jen.Qual(canonPath, "Unmarshal").Call(jen.Id("data"), jen.Id("v"))))))
}

// code prints a field.
func (fl structField) code() *jen.Statement {
	tag := tagName(fl.wire)
	if fl.omitzero {
		tag += ",omitzero"
	}
	s := jen.Id(fl.name).Add(fl.typ.code()).Tag(map[string]string{"json": tag})
	if fl.note != "" {
		s.Add(commentLine(fl.note))
	}
	return s
}

// tagName is a wire name as a json tag spells it. One that would be read as something else stands in
// single quotes, as in encoding/json/v2, with its commas escaped: vet reads tags up to the first.
func tagName(wire string) string {
	if wire != "" && wire != "-" && !strings.ContainsAny(wire, `,'"\`) {
		return wire
	}
	quoted := strconv.Quote(wire)
	return "'" + strings.NewReplacer(",", `\x2c`, "'", `\x27`, `\"`, `\x22`).Replace(quoted[1:len(quoted)-1]) + "'"
}

func (l *listType) print(f *jen.File) {
	add(f, comments(l.doc...)...)
	f.Type().Id(l.name).Add(l.typ.code())
}

func (e *enumType) print(f *jen.File) {
	add(f, comments(e.doc...)...)
	f.Type().Id(e.name).Add(e.typ.code())
	if len(e.constants) > 0 {
		var constants []jen.Code
		for _, c := range e.constants {
			constants = append(constants, jen.Id(c.name).Id(e.name).Op("=").Op(c.literal))
		}
		add(f, commentLine("The values of "+e.name+"."))
		f.Const().Defs(constants...)
	}
	values := jen.Index().Qual(canonPath, "Value")
	width := 0
	for _, m := range e.members {
		width += len(quote(m)) + 2
	}
	body := oneLine(jen.Return(values.Clone().Values(textList(e.members)...)))
	if width > 40 {
		body = jen.Block(jen.Return(values.Add(lines(textList(e.members)...))))
	}
	add(f, commentLine("Enum lists the values of "+e.name+" as JSON; no other is accepted."))
	f.Func().Params(jen.Id(e.name)).Id("Enum").Params().Index().Qual(canonPath, "Value").Add(body)
}

// oneLine is a body that stands behind its function's signature.
func oneLine(code jen.Code) *jen.Statement {
	return jen.Custom(jen.Options{Open: "{ ", Close: " }"}, code)
}
