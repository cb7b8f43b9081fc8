enum Color { Red, Green = 5, Blue } enum S { A = 'a' } const enum K { X = 1 } console.log(Color, Color.Blue, Color[5], S.A, K.X);
